"""What people see: the standard streams, and progress on a terminal."""
