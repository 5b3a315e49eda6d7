"""Tests of the repository in place."""
