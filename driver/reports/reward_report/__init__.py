"""The reward report of a run: what its rewards are worth."""
