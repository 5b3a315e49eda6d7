"""Shapes: what an answer from outside must be like, so that the slice's uses of it work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .model import Border

Kind = Literal["any", "json", "text", "number"]


@dataclass(frozen=True, slots=True)
class Variant:
    """One answer that a place can give."""

    name: str
    """`default` for the one that lets the slice go on; others reach its other branches."""
    value: object
    """Made of `None`, booleans, numbers, texts, bytes, lists, tuples and dictionaries."""


def variants_at(border: Border, *places: str, kind: Kind = "any") -> tuple[Variant, ...]:
    """What the values that the slice gets at these places can be; the first is `default`.

    Args:
        border: of the slice.
        places: dotted paths from an outside name, with `()` for a call, `[]` for an item, and `*`
            for any one attribute, as in `requests.*().json()`.
        kind: what the place can give at all; `json` is what `json.loads` returns.
    """
    del border, places
    empty: dict[Kind, object] = {"any": {}, "json": {}, "text": "", "number": 0}
    return (Variant("default", empty[kind]),)
