"""Scoring: a candidate takes the target's place, runs apart from the oracle, and is judged here."""
