"""Statements kept for their side effects while modules load."""
