"""Libraries that make the version of a package up from the history of its repository."""
