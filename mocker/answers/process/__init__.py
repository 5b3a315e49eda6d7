"""Answers of a terminal, program arguments and environment variables."""
