"""Playwright's browsers: both its interfaces are replaced, without a driver or browser."""
