"""Whoever asks at the terminal is answered, and programs are started with what they require."""
