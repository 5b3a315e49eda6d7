"""Statements that are kept for what they do while modules load."""
