"""The passes from a repository and a target to a slice or an environment."""
