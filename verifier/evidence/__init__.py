"""What the repository itself shows: what it does in place, and what its own tests call."""
