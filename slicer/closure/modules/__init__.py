"""Keeping top-level statements and modules that are reached by import or by name."""
