"""PostgreSQL: the drivers' own exceptions and rows, over a server in memory."""
