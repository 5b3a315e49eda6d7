"""Redis: the client stays real, its connections lead to `fakeredis`."""
