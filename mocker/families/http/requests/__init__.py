"""`requests` stays real: its adapters are answered by `responses`, without a network."""
