"""Write a dataset: the same rows give the same bytes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import Any, TypeVar

from .blobs import FOLDER, PackWriter
from .card import card_text
from .columns import DUPLICATE, IN_REFERENCE_SET, EnvironmentRow, FunctionRow, RepositoryRow
from .dataset import MANIFEST, SCHEMA
from .digests import digest
from .parquet import table_bytes
from .store import Store

Row = TypeVar("Row")
_SHARD_ROWS = 2000
_FOLDERS = ("data", "functions", "repositories", FOLDER)
CARD = "README.md"


@dataclass(frozen=True, slots=True)
class Content:
    """All that a dataset says. Environments are read one shard at a time."""

    environments: Iterable[EnvironmentRow]
    """In the order of `environment_order`."""
    functions: Sequence[FunctionRow]
    repositories: Sequence[RepositoryRow]
    read: Callable[[str], bytes]
    """Returns the blob of a hash; asked about a row's files soon after the row came."""
    about: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Further fields of the manifest: options, thresholds, version of the tool, duplicates."""


def environment_order(row: EnvironmentRow) -> tuple[str, str, str, str, str]:
    """Return the key by which the environments of a dataset are sorted."""
    return (row.split, row.repo, row.path, row.qualname, row.commit or "")


def write_dataset(store: Store, content: Content) -> dict[str, Any]:
    """Write a dataset into an empty place, or in place of another; return its manifest.

    Files are named after their content, and the manifest is written last. So until then another
    dataset in the same place stays whole, and the new one may be made of its files.

    Raises:
        ValueError: the environments are not sorted.
        OSError: the place cannot be written.
    """
    packs = PackWriter(store)
    counts = _Counts()
    environments: list[dict[str, Any]] = []
    rows = _in_order(content.environments)
    for split, of_split in groupby(rows, lambda row: row.split):
        kept = (counts.add(row) for row in _with_files(of_split, content.read, packs))
        environments += _write_table(store, f"data/{split}", EnvironmentRow, kept)
    functions = sorted(content.functions, key=_function_order)
    repositories = sorted(content.repositories, key=lambda each: (each.repo, each.commit or ""))
    manifest = {
        "schema": SCHEMA,
        **content.about,
        "counts": {
            "repositories": len(repositories),
            "functions": len(functions),
            "reasons": _sorted(Counter(code for row in functions for code in row.reasons)),
            "duplicates": sum(DUPLICATE in row.reasons for row in functions),
            "in_reference_sets": sum(IN_REFERENCE_SET in row.reasons for row in functions),
            **counts.to_json(),
        },
        "tables": {
            "environments": environments,
            "functions": _write_table(store, "functions/functions", FunctionRow, functions),
            "repositories": _write_table(
                store, "repositories/repositories", RepositoryRow, repositories
            ),
        },
        "blobs": packs.finish(),
    }
    store.write(CARD, card_text(manifest).encode())
    store.write(MANIFEST, (json.dumps(manifest, indent=2, sort_keys=True) + "\n").encode())
    _remove_others(store, manifest)
    return manifest


def _remove_others(store: Store, manifest: Mapping[str, Any]) -> None:
    """Remove the files of a dataset that was here before."""
    tables = manifest["tables"].values()
    own = {each["file"] for files in (*tables, manifest["blobs"]) for each in files}
    for folder in _FOLDERS:
        for name in store.names(folder):
            if name not in own:
                store.remove(name)


def _in_order(rows: Iterable[EnvironmentRow]) -> Iterator[EnvironmentRow]:
    before: tuple[str, ...] = ()
    for row in rows:
        order = environment_order(row)
        if order < before:
            raise ValueError(f"{row.path}::{row.qualname} of {row.repo} comes too late")
        before = order
        yield row


def _with_files(
    rows: Iterable[EnvironmentRow], read: Callable[[str], bytes], packs: PackWriter
) -> Iterator[EnvironmentRow]:
    """Yield the rows, whose files go into packs."""
    for row in rows:
        for file in row.files:
            packs.add(file.blob, read)
        yield row


def _function_order(row: FunctionRow) -> tuple[str, str, str, str]:
    return (row.repo, row.path, row.qualname, row.commit or "")


def _write_table(
    store: Store, stem: str, kind: type[Row], rows: Iterable[Row]
) -> list[dict[str, Any]]:
    """Write a table in shards; return their files, rows and digests."""
    files: list[dict[str, Any]] = []
    left = iter(rows)
    while part := list(islice(left, _SHARD_ROWS)):
        content = table_bytes(kind, part)
        sha256 = digest(content)
        name = f"{stem}-{len(files):05d}-{sha256[:12]}.parquet"
        store.write(name, content)
        size = {"bytes": len(content), "sha256": sha256, "rows": len(part)}
        files.append({"file": name, **size})
    return files


@dataclass(slots=True)
class _Counts:
    """What is counted of the environments while they go by."""

    splits: Counter[str] = field(default_factory=Counter[str])
    licences: Counter[str] = field(default_factory=Counter[str])
    dates: tuple[str, str] | None = None
    """First and last date of creation of their repositories."""

    def add(self, row: EnvironmentRow) -> EnvironmentRow:
        self.splits[row.split] += 1
        self.licences[row.licence or "unknown"] += 1
        if row.created:
            first, last = self.dates or (row.created, row.created)
            self.dates = (min(first, row.created), max(last, row.created))
        return row

    def to_json(self) -> dict[str, Any]:
        return {
            "environments": self.splits.total(),
            "splits": _sorted(self.splits),
            "licences": _sorted(self.licences),
            "created": list(self.dates) if self.dates else None,
        }


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items()))
