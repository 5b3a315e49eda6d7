"""Further candidates for an argument, one strategy a file."""
