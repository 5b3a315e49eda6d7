"""Simulated models: a service with OpenAI's protocol whose answers are known beforehand.

It shows how an evaluation works without a key, and what its figures must be.
"""
