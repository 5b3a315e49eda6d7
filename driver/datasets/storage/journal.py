"""The journal of long work: what is finished, in parts that are written whole or not at all.

A part holds what came in half a minute, or 64 rows, so that an object store gets few requests. What
killed work had not written yet is done again. A row that stands in two parts counts once.
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
from .store import Store

FOLDER = ".build"
"""Folder of the journal of a build."""
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
    """The journal of one build, or one run of an evaluation."""

    store: Store
    folder: str = FOLDER
    _lock: IO[bytes] | None = None
    """Locked while the work lasts, in a folder of this machine."""
    _rows: list[bytes] = field(default_factory=list[bytes])
    """Packed rows that are not written yet."""
    _parts: int = 0
    _written_at: float = field(default_factory=time.monotonic)
    _kept: OrderedDict[str, list[dict[str, Any]]] = field(
        default_factory=OrderedDict[str, list[dict[str, Any]]]
    )

    @classmethod
    def open(
        cls,
        store: Store,
        header: Mapping[str, Any],
        *,
        resumes: bool,
        updates: bool = False,
        folder: str = FOLDER,
    ) -> Journal:
        """Start a journal, or go on with one.

        Args:
            store: the place of the dataset.
            header: all that decides what comes of the work.
            resumes: whether a journal that is there goes on.
            updates: whether a finished result may be there.
            folder: folder of the journal.

        Raises:
            OptionError: there is a result already, or the journal is of other work.
        """
        place = header_name(folder)
        header = json.loads(json.dumps(header))
        if not resumes:
            if store.exists(place) or (store.names() and not updates):
                raise OptionError(
                    f"{store.location} is not empty", "name a new place, or go on with --resume"
                )
            store.write(place, _text(header))
        elif not store.exists(place):
            store.write(place, _text(header))
        else:
            require_same(store.location, _header(store, place), header)
        journal = cls(store, folder, _only_writer(store, folder))
        journal._parts = len(journal.parts())
        return journal

    def parts(self) -> list[str]:
        """Return the names of its parts."""
        return [name for name in self.store.names(self.folder) if name.endswith(".jsonl.gz")]

    def add(self, row: bytes) -> None:
        """Add a packed row, and write a part if it is time."""
        self._rows.append(row)
        if len(self._rows) >= _ROWS or time.monotonic() - self._written_at > _SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write the rows that are not written yet; those that cannot be written are dropped."""
        rows, self._rows = self._rows, []
        if rows:
            name = f"{self.folder}/parts/{self._parts:06d}.jsonl.gz"
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


def header_name(folder: str) -> str:
    """Return the name of the file that says what the work is."""
    return f"{folder}/{folder.removeprefix('.')}.json"


def packed(row: Mapping[str, Any]) -> bytes:
    """Return a row as a line, compressed by itself; such texts can be joined."""
    return gzip.compress(json.dumps(row).encode("ascii") + b"\n", 6, mtime=0)


def _header(store: Store, place: str) -> dict[str, Any]:
    """Return the header of the work that was begun.

    Raises:
        OptionError: it is damaged.
    """
    try:
        found: object = json.loads(store.read(place))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise OptionError(f"{store.location}/{place} is damaged", "name a new place")
    return cast("dict[str, Any]", found)


def _only_writer(store: Store, folder: str) -> IO[bytes] | None:
    """Return a lock on the journal; `None` where there are no locks.

    Raises:
        OptionError: another process writes there: each would overwrite the other's parts.
    """
    if not store.is_local:
        return None
    lock = Path(store.root, folder, "lock").open("ab")  # noqa: SIM115 - held while the work lasts
    try:
        # of this process alone: a worker that outlives a killed one does not hold it
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        lock.close()
        raise OptionError(
            f"another process writes to {store.location}", "wait for it, or name a new place"
        ) from None
    return lock


def _text(header: Mapping[str, Any]) -> bytes:
    return (json.dumps(header, indent=2, sort_keys=True) + "\n").encode()


def require_same(location: str, found: Mapping[str, Any], header: Mapping[str, Any]) -> None:
    """Check that work goes on as it was begun.

    Raises:
        OptionError: something differs that decides what comes of it.
    """
    differs = sorted(name for name in header if found.get(name) != header[name])
    if differs:
        raise OptionError(
            f"{location} was begun with other {', '.join(differs)}",
            "give the same options, or name a new place",
        )
