"""What external library code does with the repository's classes, read from its source."""
