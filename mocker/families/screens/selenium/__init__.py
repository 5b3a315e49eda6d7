"""Selenium stays real, over a browser that answers and notes instead of showing."""
