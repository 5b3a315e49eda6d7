"""Match the entries of two sets, or the keys of two dictionaries.

Both sides come in a canonical order, so that the next entry is nearly always the partner. It may
differ where numbers are only close, or where the order was forged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..observation import Node, Value

MAX_TRIED = 300
"""Most remaining entries that are matched by trying; above, only bit-equal entries match."""

Agree = Callable[[Value, Value], bool]


class Unmatched:
    """The entries of one side without a partner so far."""

    def __init__(self, values: Sequence[Value], agree: Agree) -> None:
        self._values = values
        self._agree = agree
        self._left = len(values)
        self._next = 0
        self._is_taken = bytearray(len(values))
        self._exact: dict[object, list[int]] | None = None

    def partner(self, value: Value) -> int | None:
        """Take an entry that agrees with the value. Return its position, or `None`."""
        first = self.first()
        if first is None:
            return None
        if self._agree(value, self._values[first]):
            return self._take(first)
        if self._left > MAX_TRIED:
            return self._equal(value)
        for position in range(len(self._values) - 1, first, -1):
            if not self._is_taken[position] and self._agree(value, self._values[position]):
                return self._take(position)
        return None

    def first(self) -> int | None:
        """Return the position of the first remaining entry."""
        while self._next < len(self._values) and self._is_taken[self._next]:
            self._next += 1
        return self._next if self._next < len(self._values) else None

    def _equal(self, value: Value) -> int | None:
        if self._exact is None:
            self._exact = {}
            for position, other in enumerate(self._values):
                self._exact.setdefault(_exact(other), []).append(position)
        found = None if _exact(value) is None else self._exact.get(_exact(value))
        while found:
            position = found.pop()
            if not self._is_taken[position]:
                return self._take(position)
        return None

    def _take(self, position: int) -> int:
        self._is_taken[position] = 1
        self._left -= 1
        return position


def _exact(value: Value) -> object:
    """Return a key shared by equal values without children; `None` for all others."""
    if isinstance(value, Node):
        return None if value.groups or value.kind == "ref" else value
    return (type(value), value)
