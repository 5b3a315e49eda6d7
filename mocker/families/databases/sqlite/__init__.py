"""`sqlite3` stays real; files are the script's own, and tables made elsewhere have rows when read."""
