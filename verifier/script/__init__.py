"""Scripts: where they hold the repository's lines, and which lines and branches a target has."""
