"""The client: settings, questions, answers on disk, cost."""
