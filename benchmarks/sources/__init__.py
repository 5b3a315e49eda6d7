"""The pinned packages that are measured, and environments to run them in."""
