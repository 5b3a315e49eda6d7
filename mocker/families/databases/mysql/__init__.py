"""MySQL: the drivers stay real above their sockets, which lead to a server in memory."""
