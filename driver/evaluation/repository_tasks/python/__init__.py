"""Python: its classes, and files without them."""
