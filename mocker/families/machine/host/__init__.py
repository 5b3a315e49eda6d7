"""Facts about the host: the same name, user, size and load on every machine."""
