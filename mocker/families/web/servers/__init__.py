"""Web servers that a slice would start: the address is noted, and the call returns."""
