"""Google Cloud: clients of storage, messages, secrets and tables stay real, over fake answers."""
