"""`sqlite3` stays real; files are the script's own, and fill when tables of others are read."""
