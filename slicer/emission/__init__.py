"""From what is kept to text: the three layouts of DESIGN section 4.6."""
