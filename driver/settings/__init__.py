"""What a user sets: options of a run, cache folders, and which optional parts are installed."""
