"""The executor that runs scripts in Docker containers."""
