"""Scoring: run a candidate in the target's place, apart from the oracle, and judge it here."""
