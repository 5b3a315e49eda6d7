"""Keeping classes: their creation, their members, and member queries put to live classes."""
