"""Methods inherited from classes of the standard library. They are never replaced."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from functools import lru_cache

_MODULES = frozenset(
    "abc argparse ast builtins collections collections.abc configparser contextlib enum "
    "html.parser io json logging queue string threading typing unittest".split()
)
"""Modules whose classes are inspected: they load quickly and do nothing else."""


def builtin_method_names(bases: Iterable[str]) -> frozenset[str]:
    """Return the methods of these classes, given by their dotted names."""
    return frozenset[str]().union(*map(_methods, bases))


@lru_cache(maxsize=256)
def _methods(base: str) -> frozenset[str]:
    module, _, name = base.rpartition(".")
    found: object = (
        getattr(importlib.import_module(module), name, None) if module in _MODULES else None
    )
    if not isinstance(found, type):
        return frozenset()
    return frozenset(each for each in dir(found) if callable(getattr(found, each, None)))
