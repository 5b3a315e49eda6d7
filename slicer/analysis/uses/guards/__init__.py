"""Tests whose outcome says that something need not be kept."""
