"""What a slice asks of the machine it runs on: the same name, user, size and load everywhere."""
