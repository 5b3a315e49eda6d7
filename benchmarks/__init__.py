"""Measurements on real packages; `python -m benchmarks` lists the commands."""
