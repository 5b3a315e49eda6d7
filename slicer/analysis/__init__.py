"""What code means, read without running it."""
