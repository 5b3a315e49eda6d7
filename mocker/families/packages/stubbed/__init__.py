"""Modules that cannot be installed, or must not run here: generated from types and uses."""
