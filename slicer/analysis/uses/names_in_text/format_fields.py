"""Attributes that the fields of a format text read: `{0.url}`, `{user.names[first]}`."""

from __future__ import annotations

import re
from typing import NamedTuple

_FIELD = re.compile(r"\{([^{}!:.\[]*)([.\[][^{}!:]*)[}!:]")
_STEP = re.compile(r"\.([A-Za-z_]\w*)|\[")


class Field(NamedTuple):
    """A format field that reads an attribute or item of its value."""

    first: str
    """The position or name of the value; empty for the next one."""
    names: tuple[str, ...]
    """The attributes that are read one after the other; `__getitem__` for a subscript."""


def fields_of(text: str) -> list[Field]:
    """Return the fields of a text that read attributes or items, in order."""
    if "{" not in text:
        return []
    return [
        Field(first, tuple(name or "__getitem__" for name in _STEP.findall(path)))
        for first, path in _FIELD.findall(text)
    ]
