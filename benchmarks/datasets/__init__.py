"""Datasets of environments: how they are built, stored, exported and served."""
