"""Datasets of environments: chosen, built, stored, freed of duplicates, exported."""
