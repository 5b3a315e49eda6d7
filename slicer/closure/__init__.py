"""The dependency closure: what is kept of a repository, with a reason for each piece."""
