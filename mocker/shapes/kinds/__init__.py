"""Which kind of value its uses ask for."""
