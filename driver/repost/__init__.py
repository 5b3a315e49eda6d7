"""RepoST's pipeline, for comparison."""
