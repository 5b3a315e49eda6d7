"""The published eval scripts and tests."""
