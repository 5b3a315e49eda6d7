"""Presentation: kept cases as a person would write them."""
