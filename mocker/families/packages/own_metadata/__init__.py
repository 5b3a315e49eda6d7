"""The repository's own distribution: its metadata is found as if it were installed."""
