"""What a module-level name means: a definition, an import, or an export made by code."""
