"""Curation: which repositories and functions are worth building, by rules that give reasons."""
