"""The executor that runs scripts in containers."""
