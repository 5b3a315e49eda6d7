"""Recorded calls: read them, carve them into cases, find their invariants."""
