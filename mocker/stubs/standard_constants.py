"""Constants of modules of the standard library that must not run: they are as this Python has them.

To import such a module does nothing to the machine; only to call something of it would.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from ...slicer.repo.import_roots import STDLIB


@cache
def standard_constant(place: str) -> str | None:
    """The source of a constant of the standard library; `None` where it is none, or not here."""
    module, _, name = place.rpartition(".")
    if module.partition(".")[0] not in STDLIB:
        return None
    try:
        value: object = getattr(import_module(module), name)
    except (ImportError, AttributeError):
        return None
    return repr(value) if type(value) in {bool, int, float, str, bytes} else None
