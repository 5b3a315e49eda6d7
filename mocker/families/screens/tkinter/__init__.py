"""tkinter, what is built on it, and turtle: widgets that keep their state, without a display."""
