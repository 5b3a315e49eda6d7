"""The `package` layout: a pruned tree of files."""
