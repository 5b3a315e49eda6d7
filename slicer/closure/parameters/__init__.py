"""Values of parameters within one slice."""
