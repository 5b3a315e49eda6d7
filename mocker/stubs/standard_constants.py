"""Constants of standard-library modules that must not run: they have this Python's values.

Importing such a module does nothing to the machine; only calling its functions would.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from ...slicer.repo.import_roots import STDLIB


@cache
def standard_constant(place: str) -> str | None:
    """Return source of a standard-library constant; `None` if it is none, or absent here."""
    module, _, name = place.rpartition(".")
    if module.partition(".")[0] not in STDLIB:
        return None
    try:
        value: object = getattr(import_module(module), name)
    except (ImportError, AttributeError):
        return None
    return repr(value) if type(value) in {bool, int, float, str, bytes} else None
