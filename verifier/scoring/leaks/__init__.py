"""Copies of the original on the machine, and how they are hidden from candidates."""
