"""Modules of the repository that are not checked in: settings, keys, generated code, all others."""
