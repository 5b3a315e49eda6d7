"""Constraints from each kind of fact."""
