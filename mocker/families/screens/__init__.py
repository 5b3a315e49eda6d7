"""Windows, plots, pages and browsers."""
