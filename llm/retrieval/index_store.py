"""Indexes on disk: what has been counted or embedded once is read again.

BM25 lies there by the digest of all texts that it indexes, and the least used go when they take too
many bytes. A vector lies there by the name of its model and the digest of its text, so that a
changed file costs the vectors of that file.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from .bm25 import Bm25
from .damaged_store import with_whole_store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .embedders import Embedder

_VERSION = 1
"""Version of the words and of BM25's constants; another one counts again."""
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS vectors "
    "(model TEXT, text BLOB, vector BLOB NOT NULL, PRIMARY KEY (model, text)) WITHOUT ROWID"
)
_BATCH = 256
"""Texts that are embedded before their vectors are kept."""
_MARKS = 500
"""Digests in one question to the database."""


@dataclass(frozen=True, slots=True)
class IndexStore:
    """A folder of indexes. Processes and threads may share it."""

    folder: Path
    most_bytes: int = 4 << 30
    """Bytes of BM25 indexes that are kept."""

    @property
    def chunks(self) -> Path:
        """Return the file of the chunks."""
        return self.folder / "chunks.sqlite"

    def bm25(self, texts: Sequence[str]) -> Bm25:
        """Return the BM25 index of texts."""
        digest = sha256(f"{_VERSION}\0{len(texts)}".encode())
        for text in texts:
            digest.update(_digest(text))
        place = self.folder / "bm25" / digest.hexdigest()[:40]
        with suppress(OSError, ValueError, KeyError, EOFError):  # none, or one that is not whole
            found = Bm25.load(place)
            os.utime(place)
            return found
        shutil.rmtree(place, ignore_errors=True)
        made = Bm25(texts)
        self._keep(made, place)
        return made

    def vectors(self, embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a vector of each text; the model learns nothing from the texts.

        Raises:
            ModelServiceError: the model is a service that does not answer.
        """
        file = self.folder / "vectors.sqlite"
        return with_whole_store(file, lambda: self._vectors(file, embedder, texts))

    def _vectors(self, file: Path, embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        self.folder.mkdir(parents=True, exist_ok=True)
        digests = [_digest(text) for text in texts]
        with closing(sqlite3.connect(file, timeout=60)) as database:
            database.execute(_SCHEMA)
            known = dict(_known(database, embedder.name, digests))
            new = {
                digest: text
                for digest, text in zip(digests, texts, strict=True)
                if digest not in known
            }
            for part in _parts(new):
                made = embedder.embed(list(part.values()))
                rows = {key: row.tobytes() for key, row in zip(part, made, strict=True)}
                known.update(rows)
                with database:
                    database.executemany(
                        "INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)",
                        ((embedder.name, key, row) for key, row in rows.items()),
                    )
        if not texts:
            return embedder.embed([])
        return np.stack([np.frombuffer(known[each], dtype=np.float32) for each in digests])

    def _keep(self, made: Bm25, place: Path) -> None:
        place.parent.mkdir(parents=True, exist_ok=True)
        new = Path(tempfile.mkdtemp(prefix=".new-", dir=place.parent))
        made.save(new)
        try:
            new.rename(place)
        except OSError:  # another process was faster
            shutil.rmtree(new, ignore_errors=True)
        self._remove_oldest(place)

    def _remove_oldest(self, kept: Path) -> None:
        """Remove the indexes that were read longest ago, until the rest is small enough."""
        indexes: list[tuple[float, Path, int]] = []
        for place in kept.parent.iterdir():
            with suppress(OSError):  # another process has removed it
                size = sum(file.stat().st_size for file in place.iterdir())
                indexes.append((place.stat().st_mtime, place, size))
        total = sum(size for _, _, size in indexes)
        for _, place, size in sorted(indexes):
            if total <= self.most_bytes:
                return
            if place != kept:
                shutil.rmtree(place, ignore_errors=True)
                total -= size


def _digest(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def _known(
    database: sqlite3.Connection, model: str, digests: Sequence[bytes]
) -> Iterator[tuple[bytes, bytes]]:
    for start in range(0, len(digests), _MARKS):
        part = digests[start : start + _MARKS]
        marks = ",".join("?" * len(part))
        query = f"SELECT text, vector FROM vectors WHERE model = ? AND text IN ({marks})"  # noqa: S608 - marks alone
        yield from database.execute(query, (model, *part))


def _parts(texts: Mapping[bytes, str]) -> Iterator[dict[bytes, str]]:
    items = list(texts.items())
    for start in range(0, len(items), _BATCH):
        yield dict(items[start : start + _BATCH])
