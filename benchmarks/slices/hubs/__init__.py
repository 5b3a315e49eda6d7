"""How large slices are, and why."""
