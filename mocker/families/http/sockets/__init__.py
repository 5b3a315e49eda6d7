"""Internet sockets are answered in the process; local ones stay real."""
