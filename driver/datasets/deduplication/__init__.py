"""Duplicates: the same function twice, and functions that an evaluation knows already."""
