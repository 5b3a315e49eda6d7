"""Files: missing ones are offered, and nothing outside the working folder is touched."""
