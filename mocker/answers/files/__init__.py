"""Contents of files."""
