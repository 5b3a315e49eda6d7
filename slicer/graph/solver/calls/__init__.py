"""Calls: callees, arguments, special methods, attributes and items."""
