"""Browsers of playwright: its two interfaces are stood in for, without a driver and a browser."""
