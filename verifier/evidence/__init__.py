"""What the repository itself does, held against what its slice does."""
