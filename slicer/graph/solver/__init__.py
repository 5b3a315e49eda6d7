"""The solver: from the facts of all modules to a solution of inclusion constraints."""
