"""Objects that a statement, a call or a decorator changes."""
