"""The choice of functions: what is left out, at most so many a repository, and samples."""
