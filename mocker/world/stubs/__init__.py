"""The universal stand-in for code that is not here."""
