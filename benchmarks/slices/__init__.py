"""Slices of whole packages: do they import, are they the same, what do they hold?"""
