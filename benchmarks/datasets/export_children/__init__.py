"""Consumers of exports, each in its own environment: rewards of candidates as they ask for them."""
