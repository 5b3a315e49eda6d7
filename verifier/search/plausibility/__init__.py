"""Plausibility: whether a draft is a call that somebody might make."""
