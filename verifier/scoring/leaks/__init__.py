"""Where copies of the original lie on a machine, and how they are hidden."""
