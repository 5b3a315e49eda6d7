"""`litellm` stays real: whichever service it calls is answered below httpx."""
