"""Evidence from the repository: what its code does in place, and what its own tests call."""
