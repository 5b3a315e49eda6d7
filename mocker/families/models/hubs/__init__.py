"""Models and data from hubs: the libraries stay real where they are small, and have no weights."""
