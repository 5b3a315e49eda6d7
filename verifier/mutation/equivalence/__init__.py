"""What makes no difference: mutants that nobody could kill."""
