"""Record a repository's own tests, and repair slices from what ran."""
