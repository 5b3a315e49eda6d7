"""Celery and RQ stay real: tasks for a worker are recorded, and run at once."""
