"""Drafts for mutants that survive, and the choice among drafts by mutants."""
