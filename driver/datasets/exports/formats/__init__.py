"""Formats: each module or folder writes one, as `EXPORTER`, and knows no other."""
