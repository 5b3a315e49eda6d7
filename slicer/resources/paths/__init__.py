"""What text an expression gives, as far as paths and package resources need it."""
