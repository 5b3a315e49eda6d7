"""Candidates: parse their text, and decide which parts of it count."""
