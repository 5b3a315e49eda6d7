"""Passes that ask a language model."""
