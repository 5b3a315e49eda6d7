"""Equivalence: whether a slice, or another script, contains the repository's own code."""
