"""Explanations of a slice: why each definition is kept."""
