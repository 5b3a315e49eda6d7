"""The state of a search: what it has tried, found and spent."""
