"""Whole repositories: workers, journal, waterfall."""
