"""tkinter, libraries built on it, and turtle: widgets that keep their state, without a display."""
