"""From what is kept to text: the three layouts."""
