"""Repair slices: find and add what ran in the repository and is missing."""
