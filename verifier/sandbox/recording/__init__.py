"""Recording what functions are given while a repository's own tests run."""
