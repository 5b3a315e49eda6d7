"""A plain script that runs with another state of the code."""
