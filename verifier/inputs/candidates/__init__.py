"""Further candidates for an argument, one file for each idea."""
