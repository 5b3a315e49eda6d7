"""What annotations, docstrings, fields and tests say about the type of a parameter."""
