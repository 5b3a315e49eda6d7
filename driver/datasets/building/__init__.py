"""Builds: from a list of repositories to a dataset, by workers on one machine or many."""
