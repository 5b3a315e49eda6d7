"""The manifest: the account of what a slice holds, needs and lacks."""
