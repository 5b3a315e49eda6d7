"""What a candidate's text is, and which of it counts."""
