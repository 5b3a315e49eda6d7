"""Python text by itself: trees, names, outlines; nothing here knows a repository."""
