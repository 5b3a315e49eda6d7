"""Values similar to a given one: of a required length, or with different items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

DISTINCT = (3, 5, 7, 11, 2, 13, 17, 19, 23, 29)
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def sized(value: object, size: int) -> object:
    """Return a text or list of that length, with different items."""
    match value:
        case str():
            return (value + LETTERS * 2)[:size]
        case list() | tuple():
            items = list(cast("Sequence[object]", value))
            while len(items) < size:
                items.append(unlike(items[-1] if items else 1, len(items)))
            return with_items(cast("object", value), items[:size])
        case _:
            return None


def with_items(value: object, items: list[object]) -> object:
    """Return the items as a list, or as a tuple if the value is a tuple."""
    return items if isinstance(value, list) else tuple(items)


def unlike(item: object, position: int) -> object:
    """Return a value like an item, but not equal to it."""
    match item:
        case bool() | None:
            return position
        case int() | float():
            return item + DISTINCT[position % len(DISTINCT)]
        case str():
            return f"{item}{LETTERS[position % len(LETTERS)]}"
        case dict():
            entries = cast("dict[object, object]", item)
            return {key: unlike(value, position) for key, value in entries.items()}
        case list() | tuple():
            items = [unlike(each, position) for each in cast("Sequence[object]", item)]
            return with_items(cast("object", item), items)
        case _:
            return item
