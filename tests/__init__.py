"""The tests, which mirror the folders; a package, so that they share helpers by name."""
