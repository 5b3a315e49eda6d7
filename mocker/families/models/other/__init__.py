"""The SDKs of groq, together, mistralai, cohere and ollama stay real: answered below httpx."""
