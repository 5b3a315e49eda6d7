"""What code outside of the repository does with classes of ours, read from the standard library."""
