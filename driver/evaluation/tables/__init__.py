"""Runs as tables for people, papers and programs."""
