"""The repository's own distribution, whose metadata its code asks for, is known."""
