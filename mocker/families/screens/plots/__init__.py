"""Plots and pictures: drawn for real into memory; the windows that would show them are noted."""
