"""Texts that a slice gets from outside and reads: what commands print, what servers send."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence

from .kept_code import kept_code
from .model import Border
from .shape import given_of, variants_at

_ANY_TEXT = re.compile(r"text(-\d+)?")
_PARSERS = ("json.load", "json.loads")


def texts_at(
    border: Border, places: Sequence[str], parsers: Collection[str] = _PARSERS
) -> dict[str, str | bytes]:
    """Variants of the text at these places; there is no `default` where any text would do.

    Args:
        border: of the slice.
        places: as `variants_at` takes them.
        parsers: functions that may be given the text.
    """
    found = {v.name: _text(v.value) for v in variants_at(border, *places, kind="text")}
    if says_something(found["default"]):
        return found
    called = [f"{each}()" for each in sorted(kept_code(border).called_names.intersection(parsers))]
    parsed = variants_at(border, *called, kind="json") if called else ()
    return {**{v.name: json.dumps(v.value) for v in parsed}, **given_of(found)}


def says_something(text: object) -> bool:
    """Whether a text has a form that follows from how it is read; any text would do else."""
    return bool(text) and not (isinstance(text, str) and _ANY_TEXT.fullmatch(text))


def _text(value: object) -> str | bytes:
    return value if isinstance(value, bytes) else str(value)
