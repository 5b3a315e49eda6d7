"""What a search has tried, found and spent."""
