"""RepoST-Eval: every target sliced and run."""
