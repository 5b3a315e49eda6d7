"""Environments: yield, candidates, scoring."""
