"""Made-up values, files and objects."""
