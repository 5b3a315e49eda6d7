"""Numbers that are times since the epoch. Platforms disagree beyond the years 1 to 9999."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ...evidence.recordings.value_sketches import sketch_of

_READERS = frozenset({"fromtimestamp", "utcfromtimestamp", "localtime", "gmtime", "ctime"})
_FIRST, _LAST = -62_135_510_400, 253_402_214_400
"""The second day of the year 1 and the last day of 9999, in seconds. A time zone may add a day."""


def clock_parameters(function: ast.AST) -> frozenset[str]:
    """Return the names that a function reads as times since the epoch."""
    found: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.Call(
                func=ast.Name(id=reader) | ast.Attribute(attr=reader), args=[ast.Name(id=name), *_]
            ) if reader in _READERS:
                found.add(name)
            case _:
                continue
    return frozenset(found)


def are_times(names: frozenset[str], arguments: Mapping[str, str]) -> bool:
    """Whether the arguments for these names are times that every platform supports."""
    numbers = (sketch_of(arguments[name]).number for name in sorted(names & arguments.keys()))
    return all(number is None or _FIRST <= number <= _LAST for number in numbers)
