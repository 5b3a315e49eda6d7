"""Write a dataset: the same rows give the same bytes, whatever order they come in."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from .blobs import FOLDER, write_blobs
from .card import card_text
from .columns import EnvironmentRow, FunctionRow, RepositoryRow
from .dataset import MANIFEST, SCHEMA
from .digests import digest
from .parquet import table_bytes
from .store import Store

Row = TypeVar("Row")
_SHARD_ROWS = 5000
CARD = "README.md"


@dataclass(frozen=True, slots=True)
class Content:
    """All that a dataset says."""

    environments: Sequence[EnvironmentRow]
    functions: Sequence[FunctionRow]
    repositories: Sequence[RepositoryRow]
    read: Callable[[str], bytes]
    """Returns the blob of a hash."""
    about: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Further fields of the manifest: options, thresholds, version of the tool, duplicates."""


def write_dataset(store: Store, content: Content) -> dict[str, Any]:
    """Write a dataset into an empty place, or in place of another; return its manifest.

    The manifest is written last: without it there is no dataset.
    """
    store.remove(MANIFEST)
    for folder in ("data", "functions", "repositories", FOLDER):
        store.remove(folder)
    environments = sorted(content.environments, key=_place)
    tables = {
        "environments": [
            each
            for split in sorted({row.split for row in environments})
            for each in _write_table(
                store,
                f"data/{split}",
                EnvironmentRow,
                [row for row in environments if row.split == split],
            )
        ],
        "functions": _write_table(
            store, "functions/functions", FunctionRow, sorted(content.functions, key=_place)
        ),
        "repositories": _write_table(
            store,
            "repositories/repositories",
            RepositoryRow,
            sorted(content.repositories, key=lambda each: (each.repo, each.commit or "")),
        ),
    }
    packs = write_blobs(store, _contents(environments, content.read))
    manifest = {
        "schema": SCHEMA,
        **content.about,
        "counts": _counts(content),
        "tables": tables,
        "blobs": [_described(store, name) for name in packs],
    }
    store.write(CARD, card_text(manifest, content.environments).encode())
    store.write(MANIFEST, (json.dumps(manifest, indent=2, sort_keys=True) + "\n").encode())
    return manifest


def _place(row: EnvironmentRow | FunctionRow) -> tuple[str, str, str, str]:
    return (row.repo, row.path, row.qualname, row.commit or "")


def _contents(rows: Iterable[EnvironmentRow], read: Callable[[str], bytes]) -> Iterator[bytes]:
    seen: set[str] = set()
    for row in rows:
        for file in row.files:
            if file.blob not in seen:
                seen.add(file.blob)
                yield read(file.blob)


def _write_table(
    store: Store, stem: str, kind: type[Row], rows: Sequence[Row]
) -> list[dict[str, Any]]:
    """Write a table in shards; return their files, rows and digests."""
    number = -(-len(rows) // _SHARD_ROWS)
    files: list[dict[str, Any]] = []
    for shard in range(number):
        part = rows[shard * _SHARD_ROWS : (shard + 1) * _SHARD_ROWS]
        content = table_bytes(kind, part)
        name = f"{stem}-{shard:05d}-of-{number:05d}.parquet"
        store.write(name, content)
        files.append(_file(name, content, len(part)))
    return files


def _file(name: str, content: bytes, rows: int | None = None) -> dict[str, Any]:
    found = {"file": name, "bytes": len(content), "sha256": digest(content)}
    return found if rows is None else {**found, "rows": rows}


def _described(store: Store, name: str) -> dict[str, Any]:
    return _file(name, store.read(name))


def _counts(content: Content) -> dict[str, Any]:
    """Return the numbers that the card shows."""
    environments = content.environments
    return {
        "repositories": len(content.repositories),
        "functions": len(content.functions),
        "environments": len(environments),
        "splits": dict(sorted(Counter(row.split for row in environments).items())),
        "licences": dict(sorted(Counter(row.licence or "unknown" for row in environments).items())),
        "reasons": dict(
            sorted(Counter(code for row in content.functions for code in row.reasons).items())
        ),
        "duplicates": sum(row.duplicate_of is not None for row in content.functions),
    }
