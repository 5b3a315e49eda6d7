"""What parameters hold within one slice."""
