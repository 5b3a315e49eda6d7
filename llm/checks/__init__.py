"""Checks of a model's answers: what they may contain, and what they must not leak."""
