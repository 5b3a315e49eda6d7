"""What annotations, docstrings, fields and tests say of the type of a parameter."""
