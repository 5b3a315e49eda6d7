"""Expressions for values: literals, stand-ins, texts of known formats."""
