"""The clock: it stands still, sleeping advances it, and loops that only wait come to an end."""
