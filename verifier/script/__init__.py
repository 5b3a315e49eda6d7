"""Where a script holds the repository's lines, and which lines and branches a target has."""
