"""Recording a repository's own tests, and repairing slices by what ran."""
