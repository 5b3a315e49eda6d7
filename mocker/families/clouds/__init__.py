"""Clouds of Amazon, Microsoft and Google."""
