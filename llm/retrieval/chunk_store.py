"""Chunks on disk by the content of their files: what has not changed is not cut again."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from .chunks import Chunk, chunks_of
from .damaged_store import with_whole_store
from .languages import Language, language_of

_VERSION = 1
"""Version of the chunker; another one cuts all files again."""
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS files (key BLOB PRIMARY KEY, chunks BLOB NOT NULL) WITHOUT ROWID"
)


def stored_chunks(files: Mapping[str, bytes], store: Path | None) -> list[Chunk]:
    """Return the chunks of files by path, sorted by path, in the order of each file.

    Args:
        files: content by path; those of other languages have no chunks.
        store: file of the chunks of earlier calls; `None` keeps none.
    """
    if store is None:
        return _stored(files, None)
    return with_whole_store(store, lambda: _stored(files, store))


def _stored(files: Mapping[str, bytes], store: Path | None) -> list[Chunk]:
    known: dict[bytes, bytes] = {}
    database: sqlite3.Connection | None = None
    languages = {path: each for path in files if (each := language_of(path))}
    keys = {path: _key(languages[path], files[path]) for path in languages}
    if store is not None:
        store.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(store, timeout=60)
        database.execute(_SCHEMA)
        known = _known(database, list(keys.values()))
    found: list[Chunk] = []
    new: dict[bytes, bytes] = {}
    for path, key in sorted(keys.items()):
        packed = known.get(key)
        if packed is not None:
            found.extend(_unpacked(path, packed))
            continue
        made = chunks_of(path, files[path], languages[path])
        new[key] = _packed(made)
        found.extend(made)
    if database is not None:
        with database:
            database.executemany("INSERT OR IGNORE INTO files VALUES (?, ?)", new.items())
        database.close()
    return found


def _known(database: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    for start in range(0, len(keys), 500):
        part = keys[start : start + 500]
        marks = ",".join("?" * len(part))
        query = f"SELECT key, chunks FROM files WHERE key IN ({marks})"  # noqa: S608 - marks alone
        found.update(database.execute(query, part).fetchall())
    return found


def _key(language: Language, content: bytes) -> bytes:
    about = f"{_VERSION}\0{language.name}\0".encode()
    return hashlib.sha256(about + content).digest()


def _packed(chunks: Sequence[Chunk]) -> bytes:
    rows = [(each.first, each.last, each.kind, each.name, each.text) for each in chunks]
    return zlib.compress(json.dumps(rows).encode(), 1)


def _unpacked(path: str, packed: bytes) -> list[Chunk]:
    return [Chunk(path, *row) for row in json.loads(zlib.decompress(packed))]
