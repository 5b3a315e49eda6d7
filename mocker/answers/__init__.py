"""What the outside world must answer for a slice to go on."""
