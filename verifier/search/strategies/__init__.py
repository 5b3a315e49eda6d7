"""Strategies for reaching lines and branches that no draft has reached."""
