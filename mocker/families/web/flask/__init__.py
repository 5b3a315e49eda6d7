"""Flask stays real: views that are called directly find a request of the shape that they read."""
