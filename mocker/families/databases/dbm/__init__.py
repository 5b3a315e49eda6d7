"""`dbm` and `shelve` stay real; each path that they open is a dictionary in memory."""
