"""Models and data from hubs: small libraries stay real, and there are no weights."""
