"""Emission: from the closure to text, in one of the layouts."""
