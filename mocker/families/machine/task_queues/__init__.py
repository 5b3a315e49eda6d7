"""Celery and RQ stay real: what is sent to a worker is recorded, and runs at once."""
