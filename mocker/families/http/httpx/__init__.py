"""`httpx` stays real: its transports are answered by `respx`, without a network."""
