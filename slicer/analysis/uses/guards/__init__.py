"""Tests whose outcome shows that some code need not be kept."""
