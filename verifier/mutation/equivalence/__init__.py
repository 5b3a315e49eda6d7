"""Equivalent mutants: changes that make no difference, so that no case can kill them."""
