"""Synthesised cases: coverage, mutants, peers."""
