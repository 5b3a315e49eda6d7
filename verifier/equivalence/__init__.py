"""Whether a slice, or somebody else's script, holds the repository's own code."""
