"""Values of names, annotations and aliases."""
