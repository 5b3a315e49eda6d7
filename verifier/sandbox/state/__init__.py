"""State around a call: globals, files, clocks; recorded, compared and reset."""
