"""One encoder for each kind of value."""
