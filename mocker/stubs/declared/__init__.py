"""The text of modules as stub packages and typeshed declare them."""
