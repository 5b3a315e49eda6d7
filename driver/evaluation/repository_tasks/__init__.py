"""Tasks that a repository's own tests judge: features of its history, and classes from words."""
