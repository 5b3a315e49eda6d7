"""Memoised answers about modules that are kept in the same way: slices of one repository share most
of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from ..closure.kept_definitions import KeptModule
from ..repo.repository import Repository

T = TypeVar("T")
_COUNT = 12
"""How many answers are held for one module: to three questions, for the four ways to keep it that
were met last."""


def recent(
    repository: Repository, kept: KeptModule, question: Hashable, answer: Callable[[], T]
) -> T:
    """The answer to a question that depends on nothing but the module and what is kept of it."""
    tables: dict[str, dict[Hashable, T]]
    tables = repository.__dict__.setdefault("_recent_answers", {})
    key = (question, kept.fingerprint)
    return latest(tables.setdefault(f"{kept.module.path}:{kept.module.name}", {}), key, answer)


def latest(table: dict[Hashable, T], key: Hashable, answer: Callable[[], T], count: int = 0) -> T:
    """The answer in a table that holds only those that were asked for last."""
    found = table.pop(key) if key in table else answer()
    table[key] = found
    while len(table) > (count or _COUNT):
        del table[next(iter(table))]
    return found
