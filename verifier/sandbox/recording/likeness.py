"""Similarity of calls: the same types, sizes and signs, so that a few represent all."""

from __future__ import annotations

from ..raw import class_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..raw import Raw

_LARGE = 1 << 31
_MOST_ITEMS = 4
"""Most items of a collection that are inspected."""
_DEEPEST = 3


def likeness(values: Iterable[Raw]) -> tuple[Raw, ...]:
    """Return a key shared by similar values, without calling their code."""
    return tuple(_likeness(value, 0) for value in values)


def _likeness(value: Raw, depth: int) -> Raw:
    cls = class_of(value)
    if value is None or cls is bool:
        return value
    if cls is int:
        return ("int", _sign(value), value in (1, -1), abs(value) >= _LARGE)
    if cls is float:
        is_whole = value - value == 0 and value == int(value)
        return ("float", _sign(value), is_whole, value != value)  # noqa: PLR0124 - not a number
    if cls is str:
        signs = (value.isascii(), value.isalpha(), value.isdigit(), value.islower(), " " in value)
        return ("str", _size(value), signs)
    if cls is bytes:
        return ("bytes", _size(value))
    if cls in (list, tuple, set, frozenset, dict):
        return (cls.__name__, _size(value), _items(value, cls, depth))
    if cls is type:
        return ("type", value.__name__)
    namespace: Raw = getattr(value, "__dict__", None) if depth < _DEEPEST else None
    if class_of(namespace) is dict and not isinstance(value, type):
        parts = (_likeness(each, depth + 1) for each in list(namespace.values())[:_MOST_ITEMS])
        return (cls.__name__, tuple(parts))
    return (cls.__name__,)


def _items(value: Raw, cls: Raw, depth: int) -> Raw:
    if depth >= _DEEPEST:
        return ()
    items = list(value.values() if cls is dict else value)[:_MOST_ITEMS]
    if cls in (set, frozenset):
        return len({class_of(item) for item in items})
    return tuple(_likeness(item, depth + 1) for item in items)


def _sign(number: Raw) -> int:
    return (number > 0) - (number < 0)


def _size(value: Raw) -> int:
    """Return a rough size."""
    length = len(value)
    return length if length < 3 else min(length.bit_length() + 1, 8)
