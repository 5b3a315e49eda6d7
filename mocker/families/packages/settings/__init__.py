"""Modules of the repository that are not checked in: settings, keys, what a build makes, all else."""
