"""Select a few of many recorded calls: with different types, sizes, signs or states."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from .recorded_calls import RecordedCall
from .value_sketches import Sketch, sketch_of

_MOST = 60
_MOST_SIMILAR = 2
_MOST_ITEMS = 4


def diverse(calls: Iterable[RecordedCall]) -> tuple[RecordedCall, ...]:
    """Return the first calls of each kind, in order."""
    counts: dict[Hashable, int] = {}
    found: list[RecordedCall] = []
    for call in calls:
        kind = _kind_of_call(call)
        counts[kind] = counts.get(kind, 0) + 1
        if counts[kind] <= _MOST_SIMILAR and len(found) < _MOST:
            found.append(call)
    return tuple(found)


def _kind_of_call(call: RecordedCall) -> Hashable:
    pairs = (
        (name, _kind(sketch_of(text)))
        for name, text in (*call.arguments, *call.states, *call.contents)
    )
    return (call.receiver, tuple(pairs))


def _kind(value: Sketch) -> Hashable:
    """Return a key shared by similar values."""
    number, length = value.number, value.length
    sign = None if number is None else ((number > 0) - (number < 0), abs(number) == 1)
    size = None if length is None else min(length, 3 + length.bit_length())
    items = tuple(_kind(item) for item in (*value.keys, *value.items)[:_MOST_ITEMS])
    truth = value.value if isinstance(value.value, bool) else None
    return (value.type, sign, size, truth, items)
