"""What samples say: estimates with intervals, and measures of text."""
