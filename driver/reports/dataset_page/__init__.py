"""The report of a dataset: one page that opens from disk."""
