"""Drafts that kill surviving mutants, and the selection of cases by the mutants that they kill."""
