"""Plots and pictures: really drawn, in memory; the windows that would show them are noted."""
