"""The cache of a repository, for answers that only its latest targets share."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

T = TypeVar("T")


class RecentAnswers:
    """The cache of a repository.

    It keeps, in each of its tables, the answers that were used last, at most as many as the caller
    allows; all of them go with the repository. What holds for every target is kept by `memo`.
    """

    def __init__(self) -> None:
        self._tables: dict[Hashable, dict[Hashable, object]] = {}

    def get(self, table: Hashable, key: Hashable, answer: Callable[[], T], most: int) -> T:
        """Return the answer under a key, which is computed if the table lacks it."""
        answers = self._tables.setdefault(table, {})
        found = answers.pop(key) if key in answers else answer()
        answers[key] = found
        while len(answers) > most:
            del answers[next(iter(answers))]
        return cast("T", found)
