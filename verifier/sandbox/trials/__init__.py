"""Trials: many cases, and each mutant, in one loaded script."""
