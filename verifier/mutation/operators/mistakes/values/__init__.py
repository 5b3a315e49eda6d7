"""Mistakes about values: types, texts, numbers, times."""
