"""Google's clouds: clients of storage, messages, secrets and tables stay real, above what answers."""
