"""The trusted half of an observation: reading it, comparing two, naming the first difference."""
