"""Test-case minimisation: kept cases get as simple as they can be."""
