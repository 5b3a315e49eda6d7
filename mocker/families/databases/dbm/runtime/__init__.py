"""What scripts carry of this family."""
