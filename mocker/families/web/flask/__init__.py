"""Flask stays real: views called directly find a request of the shape that they read."""
