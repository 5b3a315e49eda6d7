"""Django's views as callees: requests of the shape that they read, addresses and pages by name."""
