"""Fresh inputs: calls that no verdict has used, made from an environment's own cases."""
