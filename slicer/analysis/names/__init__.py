"""Resolution of module-level names: definitions, imports, and names exported by code."""
