"""Facts of expressions."""
