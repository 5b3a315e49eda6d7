"""Operators for what people and models get wrong, beside the usual ones."""
