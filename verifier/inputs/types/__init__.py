"""Types of parameters, from annotations, docstrings, fields and tests."""
