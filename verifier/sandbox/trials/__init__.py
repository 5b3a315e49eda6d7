"""Many cases, and each mutant, in one loaded script."""
