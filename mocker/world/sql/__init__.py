"""SQL in memory, over SQLite."""
