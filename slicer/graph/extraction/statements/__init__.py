"""Facts of statements."""
