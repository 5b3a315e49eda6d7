"""What surrounds a call: globals, files, clocks; looked at, compared and reset."""
