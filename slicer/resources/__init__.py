"""Which places of the repository the kept code reads: paths, followed as far as they are known."""
