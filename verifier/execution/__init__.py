"""Execution: executors, environments, and many trials in one run."""
