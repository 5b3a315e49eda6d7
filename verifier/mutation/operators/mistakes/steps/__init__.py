"""Mistakes about steps: something dropped, a loop cut short, a handler too wide."""
