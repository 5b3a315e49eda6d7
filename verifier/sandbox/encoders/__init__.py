"""Encode values as canonical JSON: exact types, no addresses, without running their code."""
