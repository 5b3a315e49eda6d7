"""Evaluation of models: retrieval, intervals, the harness, and the tables of earlier papers."""
