"""What running code changes: objects, modules, and the state of the process."""
