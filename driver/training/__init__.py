"""Data for training: what datasets and runs give to supervised, preference and reward training."""
