"""Retrieval from a repository: chunks along the syntax, ranked by words, by vectors, or by both."""
