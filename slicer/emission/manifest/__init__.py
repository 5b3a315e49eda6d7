"""The manifest: a slice's contents, requirements and gaps."""
