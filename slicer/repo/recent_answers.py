"""The cache of a repository, for answers that only its latest targets share."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

T = TypeVar("T")


class RecentAnswers:
    """The cache of a repository.

    It keeps, in each of its tables, the answers that were asked for last, at most as many as the
    asker says; all of them go with the repository. What holds for every target is kept by `memo`.
    """

    def __init__(self) -> None:
        self._tables: dict[Hashable, dict[Hashable, object]] = {}

    def get(self, table: Hashable, key: Hashable, answer: Callable[[], T], most: int) -> T:
        """Return the answer under a key, which is computed if the table does not hold it."""
        held = self._tables.setdefault(table, {})
        found = held.pop(key) if key in held else answer()
        held[key] = found
        while len(held) > most:
            del held[next(iter(held))]
        return cast("T", found)
