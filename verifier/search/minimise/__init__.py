"""Making kept cases as simple as they can be."""
