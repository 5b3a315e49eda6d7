"""The kind of value that its uses require."""
