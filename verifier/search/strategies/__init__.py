"""Strategies that reach a line or branch that no draft has reached."""
