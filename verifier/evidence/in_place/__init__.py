"""The repository itself as the oracle: cases that run in a copy of it."""
