"""Keeping classes: their making, their members, and queries for members put to live classes."""
