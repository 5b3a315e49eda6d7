"""A repository on disk: files, import roots, modules, top-level statements and targets."""
