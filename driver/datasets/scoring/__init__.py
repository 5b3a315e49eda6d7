"""Scoring of candidates for the environments of a dataset, which are prepared when first used."""
