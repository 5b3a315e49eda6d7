"""Blobs: files of environments, each stored once under the SHA-256 of its content.

They are packed into tables with the columns `hash` and `content`, in the order of the environments
that first use them. A million small objects would cost a million requests of a store; and files of
one repository, which lie together, compress to half of what they take alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from .digests import digest
from .parquet import PackReader, pack_bytes
from .store import Store, StoreError

FOLDER = "blobs"
_GROUPS_KEPT = 8
_PACK_BYTES = 256 << 20
"""Size of a pack before compression."""


def write_blobs(store: Store, contents: Iterable[bytes]) -> list[str]:
    """Write packs of blobs, each content once; return the names of the packs."""
    names: list[str] = []
    for pack in _packs(contents):
        name = f"{FOLDER}/blobs-{len(names):05d}.parquet"
        store.write(name, pack_bytes(pack))
        names.append(name)
    return names


def _packs(contents: Iterable[bytes]) -> Iterator[dict[str, bytes]]:
    seen: set[str] = set()
    pack: dict[str, bytes] = {}
    size = 0
    for content in contents:
        name = digest(content)
        if name in seen:
            continue
        seen.add(name)
        pack[name] = content
        size += len(content)
        if size >= _PACK_BYTES:
            yield pack
            pack, size = {}, 0
    if pack:
        yield pack


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
