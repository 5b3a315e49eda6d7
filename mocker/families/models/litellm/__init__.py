"""`litellm` stays real: every service that it calls is answered below httpx."""
