"""Asking a model: settings, questions, answers on disk, cost."""
