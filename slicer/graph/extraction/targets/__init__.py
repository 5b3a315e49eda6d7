"""Facts of assignment targets, parameters and annotations."""
