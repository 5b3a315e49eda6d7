"""Exports: environments in the formats that trainers and harnesses read, a file a format."""
