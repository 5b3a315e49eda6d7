"""`aiohttp`'s client stays real: its connectors are connected with answers, without a network."""
