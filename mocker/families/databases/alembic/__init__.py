"""Alembic stays real: its environments and migrations find the context of a running command."""
