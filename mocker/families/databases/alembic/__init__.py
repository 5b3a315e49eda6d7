"""Alembic stays real: its environments and migrations find what its command gives them."""
