"""Comparing two values, kind by kind."""
