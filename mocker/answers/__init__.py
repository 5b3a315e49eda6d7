"""Answers of the outside world with which a slice goes on."""
