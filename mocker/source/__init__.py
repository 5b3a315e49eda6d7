"""The kept code of a slice, and the possible texts of its expressions."""
