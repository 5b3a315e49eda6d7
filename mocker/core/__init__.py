"""From the border of a slice to the prelude that its script carries."""
