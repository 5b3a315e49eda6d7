"""Hidden cases: many, diverse, for the verdict alone."""
