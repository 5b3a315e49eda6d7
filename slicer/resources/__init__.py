"""Data files and folders that the kept code reads, found by following paths."""
