"""Abstract values, and memoised recursive evaluation to least fixed points."""
