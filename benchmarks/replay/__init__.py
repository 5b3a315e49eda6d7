"""Recorded calls of real packages: original against slice."""
