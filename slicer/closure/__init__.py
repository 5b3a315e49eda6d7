"""The dependency closure: what is kept of a repository, each piece with its reason."""
