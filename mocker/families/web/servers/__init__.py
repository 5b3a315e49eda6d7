"""Web servers that a slice would start: where they would listen is noted, and they return."""
