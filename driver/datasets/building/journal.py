"""The journal of a build: what is finished, in parts that are written whole or not at all.

A part holds what came in half a minute, or 64 rows, so that an object store gets few requests. What
a killed build had not written yet is done again. A row that stands in two parts counts once.
"""

from __future__ import annotations

import fcntl
import gzip
import json
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, cast

from ....slicer.errors import OptionError
from ..storage.store import Store

FOLDER = ".build"
HEADER = f"{FOLDER}/build.json"
_ROWS = 64
_SECONDS = 30.0
_PARTS_KEPT = 16


@dataclass(frozen=True, slots=True)
class Place:
    """Where a row stands."""

    part: str
    number: int


@dataclass(slots=True)
class Journal:
    """The journal of one build."""

    store: Store
    _lock: IO[bytes] | None = None
    """Locked while the build lives, in a folder of this machine."""
    _rows: list[bytes] = field(default_factory=list[bytes])
    """Packed rows that are not written yet."""
    _parts: int = 0
    _written_at: float = field(default_factory=time.monotonic)
    _kept: OrderedDict[str, list[dict[str, Any]]] = field(
        default_factory=OrderedDict[str, list[dict[str, Any]]]
    )

    @classmethod
    def open(
        cls, store: Store, header: Mapping[str, Any], *, resumes: bool, updates: bool = False
    ) -> Journal:
        """Start a journal, or go on with one.

        Args:
            store: the place of the dataset.
            header: all that decides what comes of a function.
            resumes: whether a journal that is there goes on.
            updates: whether a finished dataset may be there.

        Raises:
            OptionError: there is a dataset already, or the journal is of another build.
        """
        header = json.loads(json.dumps(header))
        if not resumes:
            if store.exists(HEADER) or (store.names() and not updates):
                raise OptionError(
                    f"{store.location} is not empty", "name a new place, or go on with --resume"
                )
            store.write(HEADER, _text(header))
        elif not store.exists(HEADER):
            store.write(HEADER, _text(header))
        elif (found := _header(store)) != header:
            differs = sorted(name for name in header if found.get(name) != header[name])
            raise OptionError(
                f"{store.location} was begun with other {', '.join(differs)}",
                "give the same options, or name a new place",
            )
        journal = cls(store, _only_writer(store))
        journal._parts = len(journal.parts())
        return journal

    def parts(self) -> list[str]:
        """Return the names of its parts."""
        return [name for name in self.store.names(FOLDER) if name.endswith(".jsonl.gz")]

    def add(self, row: bytes) -> None:
        """Add a packed row, and write a part if it is time."""
        self._rows.append(row)
        if len(self._rows) >= _ROWS or time.monotonic() - self._written_at > _SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write the rows that are not written yet; those that cannot be written are dropped."""
        rows, self._rows = self._rows, []
        if rows:
            name = f"{FOLDER}/parts/{self._parts:06d}.jsonl.gz"
            self.store.write(name, b"".join(rows))
            self._parts += 1
        self._written_at = time.monotonic()

    def rows(self) -> Iterator[tuple[Place, dict[str, Any]]]:
        """Yield the written rows with their places."""
        for part in self.parts():
            for number, row in enumerate(self._part(part)):
                yield Place(part, number), row

    def row(self, place: Place) -> dict[str, Any]:
        """Return the row at a place."""
        return self._part(place.part)[place.number]

    def _part(self, name: str) -> list[dict[str, Any]]:
        if name not in self._kept:
            text = gzip.decompress(self.store.read(name)).decode("ascii")
            while len(self._kept) >= _PARTS_KEPT:
                self._kept.popitem(last=False)
            self._kept[name] = [json.loads(line) for line in text.splitlines()]
        self._kept.move_to_end(name)
        return self._kept[name]


def _header(store: Store) -> dict[str, Any]:
    """Return the header of the build that was begun.

    Raises:
        OptionError: it is damaged.
    """
    try:
        found: object = json.loads(store.read(HEADER))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise OptionError(f"{store.location}/{HEADER} is damaged", "name a new place")
    return cast("dict[str, Any]", found)


def _only_writer(store: Store) -> IO[bytes] | None:
    """Return a lock on the journal; `None` where there are no locks.

    Raises:
        OptionError: another build writes there: each would overwrite the other's parts.
    """
    if not store.is_local:
        return None
    lock = Path(store.root, FOLDER, "lock").open("ab")  # noqa: SIM115 - held while the build lives
    try:
        # of this process alone: a worker that outlives a killed build does not hold it
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        lock.close()
        raise OptionError(
            f"another build writes to {store.location}", "wait for it, or name a new place"
        ) from None
    return lock


def _text(header: Mapping[str, Any]) -> bytes:
    return (json.dumps(header, indent=2, sort_keys=True) + "\n").encode()
