"""Memoised answers about modules that are kept alike, as in most slices of a repository."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from ..closure.kept_definitions import KeptModule
from ..repo.repository import Repository

T = TypeVar("T")
_COUNT = 12
"""Number of answers memoised for one module: three for each of four recent kept parts."""


def recent(
    repository: Repository, kept: KeptModule, question: Hashable, answer: Callable[[], T]
) -> T:
    """Return a memoised answer that depends only on the module and its kept part."""
    tables: dict[str, dict[Hashable, T]]
    tables = repository.__dict__.setdefault("_recent_answers", {})
    key = (question, kept.fingerprint)
    return latest(tables.setdefault(f"{kept.module.path}:{kept.module.name}", {}), key, answer)


def latest(table: dict[Hashable, T], key: Hashable, answer: Callable[[], T], count: int = 0) -> T:
    """Return the answer from a table that keeps only the most recently requested ones."""
    found = table.pop(key) if key in table else answer()
    table[key] = found
    while len(table) > (count or _COUNT):
        del table[next(iter(table))]
    return found
