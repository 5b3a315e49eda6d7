"""Kept cases as a person would write them."""
