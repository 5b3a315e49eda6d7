"""The repository as the oracle: cases run in a copy of it."""
