"""Chat bots: the libraries stay real, over servers that answer and note what is sent."""
