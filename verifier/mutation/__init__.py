"""Mutants of a target: one small change each, and what cheap solutions would be."""
