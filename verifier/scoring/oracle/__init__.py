"""What the original does, recorded so that it stays the same."""
