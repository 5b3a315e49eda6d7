"""Texts that satisfy the parsers, patterns and tests of a slice."""
