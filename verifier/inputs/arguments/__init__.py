"""How single arguments are shaped and fit one another."""
