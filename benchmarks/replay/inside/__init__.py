"""What runs in the replay's own processes."""
