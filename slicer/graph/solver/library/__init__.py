"""Models of library functions."""
