"""Definitions with their scopes and bindings, and where in a function a name is narrowed."""
