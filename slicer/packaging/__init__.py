"""Import names and distributions: what a repository declares, and what provides a module."""
