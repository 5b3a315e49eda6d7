"""Modules that are not there: settings, what cannot be installed, metadata."""
