"""The environments that a service scores, by id. An id is looked up, and never is a path."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

from ...record.environment_files import (
    RECORD,
    Environment,
    EnvironmentRecordError,
    read_environment,
)


class Catalogue(Protocol):
    """What a service needs to know of a dataset."""

    @property
    def root(self) -> Path:
        """A folder around all expected observations, which candidates must not read."""
        ...

    def __len__(self) -> int:
        """Return the number of environments."""
        ...

    def __contains__(self, identity: object) -> bool:
        """Whether there is an environment with that id."""
        ...

    def environment(self, identity: str) -> Environment:
        """Return an environment.

        Raises:
            SliceFuncError: it cannot be read.
        """
        ...


@dataclass(frozen=True, slots=True)
class FolderCatalogue:
    """Folders that `--env` has written, anywhere below one folder."""

    root: Path
    folders: dict[str, Path]
    """The folder of each environment, by id."""

    def __len__(self) -> int:
        return len(self.folders)

    def __contains__(self, identity: object) -> bool:
        return identity in self.folders

    def environment(self, identity: str) -> Environment:
        """Return an environment, whose content is held against its id."""
        found = read_environment(self.folders[identity])
        if found.record["id"] != identity:
            raise EnvironmentRecordError(
                f"{self.folders[identity]}: another environment than at the start",
                "start the service again",
            )
        return found


def open_catalogue(location: str) -> Catalogue:
    """Return the environments at a place.

    Raises:
        EnvironmentRecordError: there are none.
    """
    root = Path(location).resolve()
    folders: dict[str, Path] = {}
    for file in sorted(root.rglob(RECORD)):
        identity = _identity(file)
        if identity is not None:
            folders.setdefault(identity, file.parent)
    if not folders:
        raise EnvironmentRecordError(f"{location}: no environments are in it")
    return FolderCatalogue(root, folders)


def _identity(file: Path) -> str | None:
    """Return the id in a record; `None` if the file is no record."""
    try:
        record: object = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return None
    identity = cast("dict[str, object]", record).get("id") if isinstance(record, dict) else None
    return identity if isinstance(identity, str) else None
