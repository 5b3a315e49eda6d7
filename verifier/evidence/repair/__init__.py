"""What ran in the repository and is missing in the slice."""
