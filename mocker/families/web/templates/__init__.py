"""Jinja templates of the repository, carried along for the slice that renders them."""
