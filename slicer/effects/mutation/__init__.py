"""Which objects a statement, a call or a decorator changes."""
