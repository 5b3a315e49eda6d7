"""The environments that a service scores, by id. An id is looked up, and never is a path."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from ...datasets.storage.dataset import Dataset, DatasetError, open_dataset
from ...record.environment_files import Environment


@dataclass(frozen=True, slots=True)
class Catalogue:
    """A dataset as a service reads it: by id, from several threads."""

    dataset: Dataset
    ids: frozenset[str]
    root: Path | None
    """The folder around all expected observations, which candidates must not read; `None` if the
    dataset is not on this machine."""
    _lock: Lock = field(default_factory=Lock)
    """Held while the dataset is read: its readers keep positions in files."""

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
