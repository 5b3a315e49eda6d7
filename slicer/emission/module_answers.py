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
    table = (kept.module.path, kept.module.name)
    return repository.recent.get(table, (question, kept.fingerprint), answer, _COUNT)
