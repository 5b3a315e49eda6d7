"""What an answer may hold, and what it must not give away."""
