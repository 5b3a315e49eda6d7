"""Compare two values, kind by kind."""
