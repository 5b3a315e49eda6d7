"""`aiohttp`'s client stays real: its connections are answered without a network."""
