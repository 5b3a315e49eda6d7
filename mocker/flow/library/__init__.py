"""What library functions do with the values that they are given."""
