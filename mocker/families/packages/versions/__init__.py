"""Libraries that compute a package's version from the history of its repository."""
