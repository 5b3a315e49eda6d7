"""What a terminal, arguments and environment variables must give."""
