"""The clock: it stands at one moment, sleeping moves it on, and loops that only wait end."""
