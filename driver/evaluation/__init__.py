"""Evaluation of models: samples of candidates, their verdicts, and what these say."""
