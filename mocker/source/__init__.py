"""The code that a slice keeps, and the texts that its expressions can be."""
