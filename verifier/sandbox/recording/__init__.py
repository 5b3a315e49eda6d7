"""Record the arguments of functions while a repository's own tests run."""
