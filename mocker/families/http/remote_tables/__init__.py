"""Tables that pandas and numpy fetch by address: urllib is answered with a file of their kind."""
