"""`anthropic` stays real: requests of its clients are answered below httpx."""
