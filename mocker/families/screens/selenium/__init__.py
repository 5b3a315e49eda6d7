"""Browsers: selenium stays real, above a browser that answers and notes instead of showing."""
