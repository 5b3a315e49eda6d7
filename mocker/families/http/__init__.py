"""HTTP clients, web sockets and plain sockets."""
