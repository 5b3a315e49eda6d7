"""SQL and other databases."""
