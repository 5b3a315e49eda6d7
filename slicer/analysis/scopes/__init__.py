"""Definitions with their scopes and bindings, and the regions in which a name is narrowed."""
