"""Jinja templates of the repository, carried with a slice that renders them."""
