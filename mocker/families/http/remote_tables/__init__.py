"""Tables that pandas and numpy download: urllib is answered with a file of the right format."""
