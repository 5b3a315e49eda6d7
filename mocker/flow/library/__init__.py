"""What library functions do with the values passed to them."""
