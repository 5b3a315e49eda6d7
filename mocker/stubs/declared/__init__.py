"""Generates modules from the declarations of stub packages and typeshed."""
