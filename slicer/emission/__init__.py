"""Emission: from the closure to text, in three layouts."""
