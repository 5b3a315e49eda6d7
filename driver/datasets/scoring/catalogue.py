"""The environments that a service scores, by id. An id is looked up, and never is a path."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from threading import Lock

from ...record.environment_files import Environment
from ..storage.dataset import Dataset, DatasetError, open_dataset

SHORTEST_START = 8
"""Least number of characters that may stand for an id."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """A dataset as a service reads it: by id, from several threads."""

    dataset: Dataset
    ids: frozenset[str]
    root: Path | None
    """The folder around all expected observations, which candidates must not read; `None` if the
    dataset is not on this machine."""
    ordered: Sequence[str] = field(init=False)
    """The ids in order."""
    _lock: Lock = field(default_factory=Lock)
    """Held while the dataset is read: its readers keep positions in files."""

    def __post_init__(self) -> None:
        """Sort the ids."""
        object.__setattr__(self, "ordered", sorted(self.ids))

    def beginning(self, start: str) -> list[str]:
        """Return the first two ids that begin so, or the one id that is it; `[]` for none."""
        if start in self.ids:
            return [start]
        if len(start) < SHORTEST_START:
            return []
        first = bisect_left(self.ordered, start)
        return [*takewhile(lambda each: each.startswith(start), self.ordered[first : first + 2])]

    def environment(self, identity: str) -> Environment:
        """Return an environment.

        Raises:
            SliceFuncError: it cannot be read, or has changed since the start.
        """
        with self._lock:
            found = self.dataset.environment(identity)
        if found.record["id"] != identity:
            raise DatasetError(
                f"{self.dataset.location}: {identity} was replaced", "start the service again"
            )
        return found


def open_catalogue(location: str) -> Catalogue:
    """Return the environments of a dataset.

    Raises:
        DatasetError: there is no dataset, or no environment in it.
    """
    dataset = open_dataset(location)
    ids = dataset.ids()
    if not ids:
        raise DatasetError(f"{location}: no environments are in it")
    place = Path(location)
    return Catalogue(dataset, ids, place.resolve() if place.exists() else None)
