"""Effects of importing a module: what it loads, in which order, and what runs."""
