"""Blobs: files of environments, each stored once under the SHA-256 of its content.

They are packed into tables with the columns `hash` and `content`, in the order of the environments
that first use them. A million small objects would cost a million requests of a store; and files of
one repository, which lie together, compress to half of what they take alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .digests import digest
from .parquet import UNREADABLE, PackReader, pack_bytes
from .store import Store, StoreError

FOLDER = "blobs"
_GROUPS_KEPT = 8
_PACK_BYTES = 256 << 20
"""Size of a pack before compression."""


@dataclass(slots=True)
class PackWriter:
    """Writes blobs into packs, each content once, in the order in which they come."""

    store: Store
    _seen: set[str] = field(default_factory=set[str])
    _pack: dict[str, bytes] = field(default_factory=dict[str, bytes])
    _size: int = 0
    _files: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def add(self, name: str, read: Callable[[str], bytes]) -> None:
        """Add the blob of that hash, which is read unless it is there."""
        if name in self._seen:
            return
        self._seen.add(name)
        self._pack[name] = content = read(name)
        self._size += len(content)
        if self._size >= _PACK_BYTES:
            self._write()

    def finish(self) -> list[dict[str, Any]]:
        """Write what is left; return the files with their sizes and digests."""
        if self._pack:
            self._write()
        return self._files

    def _write(self) -> None:
        content = pack_bytes(self._pack)
        sha256 = digest(content)
        name = f"{FOLDER}/blobs-{len(self._files):05d}-{sha256[:12]}.parquet"
        self.store.write(name, content)
        size = {"bytes": len(content), "sha256": sha256, "blobs": len(self._pack)}
        self._files.append({"file": name, **size})
        self._pack, self._size = {}, 0


@dataclass(slots=True)
class Blobs:
    """The blobs of a dataset, for reading."""

    store: Store
    packs: tuple[str, ...]
    """Names of the packs."""
    _readers: dict[str, PackReader] = field(default_factory=dict[str, PackReader])
    _places: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])
    """Hash → pack, and number of the row group; read at the first request."""
    _kept: dict[tuple[str, int], Mapping[str, bytes]] = field(
        default_factory=dict[tuple[str, int], Mapping[str, bytes]]
    )
    """The row groups read last."""

    def read(self, name: str) -> bytes:
        """Return a blob.

        Raises:
            StoreError: there is none of that hash, or its content does not match it.
        """
        place = self._index().get(name)
        if place is None:
            raise StoreError(
                f"{self.store.location}: blob {name} is missing", "copy the whole dataset again"
            )
        with self.store.reading(place[0], UNREADABLE):
            content = self._group(*place)[name]
        if digest(content) != name:
            raise StoreError(
                f"{self.store.location}/{place[0]}: blob {name} has other content",
                "copy the file again",
            )
        return content

    def _index(self) -> dict[str, tuple[str, int]]:
        if not self._places:
            for pack in self.packs:
                with self.store.reading(pack, UNREADABLE):
                    for number, hashes in enumerate(self._reader(pack).hashes()):
                        self._places.update(dict.fromkeys(hashes, (pack, number)))
        return self._places

    def _reader(self, pack: str) -> PackReader:
        if pack not in self._readers:
            self._readers[pack] = PackReader.of(self.store.open(pack))
        return self._readers[pack]

    def _group(self, pack: str, number: int) -> Mapping[str, bytes]:
        key = (pack, number)
        if key not in self._kept:
            while len(self._kept) >= _GROUPS_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = self._reader(pack).group(number)
        return self._kept[key]
