"""Replaces the outside world of a slice at its border: deterministically, without a model."""

from .api import mock_slice
from .settings import Settings, read_settings

__all__ = ["Settings", "mock_slice", "read_settings"]
