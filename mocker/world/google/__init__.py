"""What the families of Google's clouds share."""
