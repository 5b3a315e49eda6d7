"""Measurements on real packages; each module is a command, `python -m benchmarks.NAME`."""
