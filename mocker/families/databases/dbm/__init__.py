"""`dbm` and `shelve` stay real; each path they open is a dictionary in memory."""
