"""Modules that are written instead of installed: from what a slice does with them."""

from .build import stub_packages
from .usage import Usage, usage_of

__all__ = ["Usage", "stub_packages", "usage_of"]
