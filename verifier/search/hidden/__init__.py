"""Hidden cases: many diverse calls that only the verdict uses."""
