"""Java: its classes, what tests and the repository have to do with them, and how its tests run."""
