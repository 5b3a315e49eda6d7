"""MongoDB: clients of `mongomock` in place of those of pymongo and motor."""
