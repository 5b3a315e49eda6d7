"""Merge datasets into one, or split one by a column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import merge
from typing import Any

from ....slicer.errors import OptionError
from ..deduplication.find_duplicates import find_duplicates
from ..deduplication.function import Function, Options
from ..storage.columns import EnvironmentRow, FunctionRow
from ..storage.dataset import StoredDataset
from ..storage.store import Store
from ..storage.write_dataset import Content, environment_order, write_dataset
from .parts import Row


@dataclass(slots=True)
class _Reader:
    """Reads blobs from whichever dataset gave the row that came last."""

    _by_blob: dict[str, StoredDataset] = field(default_factory=dict[str, StoredDataset])

    def rows(self, dataset: StoredDataset) -> Iterator[tuple[EnvironmentRow, StoredDataset]]:
        for row in sorted(dataset.rows(), key=environment_order):
            yield row, dataset

    def noted(self, row: EnvironmentRow, dataset: StoredDataset) -> EnvironmentRow:
        self._by_blob = {each.blob: dataset for each in row.files}
        return row

    def read(self, name: str) -> bytes:
        return self._by_blob[name].blobs.read(name)


def merge_datasets(
    parts: Sequence[StoredDataset], store: Store, duplicates: Options | None
) -> dict[str, Any]:
    """Write one dataset of several; return its manifest.

    Args:
        parts: the datasets.
        store: where the merged one goes.
        duplicates: how alike two functions must be for one to fall; `None` keeps all.

    Raises:
        OptionError: they were made by other versions or with other thresholds, or hold the same
            function of the same repository twice with different outcomes.
    """
    _check_alike(parts)
    functions = _functions(parts)
    fallen = _fallen(parts, duplicates)
    functions = [_judged(row, fallen) for row in functions]
    left = {row.environment for row in functions if row.environment}
    repositories = {row.repo: row for part in parts for row in part.repositories()}
    reader = _Reader()
    every = merge(*map(reader.rows, parts), key=lambda each: environment_order(each[0]))
    made: dict[str, int] = {}
    seen: set[str] = set()

    def rows() -> Iterator[EnvironmentRow]:
        for row, dataset in every:
            if row.id in left and row.id not in seen:
                seen.add(row.id)
                yield reader.noted(row, dataset)

    for row in functions:
        made[row.repo] = made.get(row.repo, 0) + (row.environment is not None)
    content = Content(
        environments=rows(),
        functions=functions,
        repositories=[
            replace(row, environments=made.get(name, 0))
            for name, row in sorted(repositories.items())
        ],
        read=reader.read,
        about=_about(parts[0].manifest),
    )
    return write_dataset(store, content)


def _check_alike(parts: Sequence[StoredDataset]) -> None:
    first = parts[0]
    for other in parts[1:]:
        for name in ("tool_version", "thresholds", "build"):
            if other.manifest.get(name) != first.manifest.get(name):
                raise OptionError(
                    f"{other.location} and {first.location} have another {name.replace('_', ' ')}",
                    "build both with the same version and options",
                )


def _functions(parts: Sequence[StoredDataset]) -> list[FunctionRow]:
    """Return the functions of all parts, each once."""
    rows: dict[tuple[str, str | None, str, str], FunctionRow] = {}
    for part in parts:
        for row in part.functions():
            key = (row.repo, row.commit, row.path, row.qualname)
            before = rows.setdefault(key, row)
            if before.environment != row.environment and not (
                before.duplicate_of or row.duplicate_of
            ):
                raise OptionError(
                    f"{row.repo} {row.path}::{row.qualname} has another outcome in {part.location}",
                    "leave one of the datasets out",
                )
    return list(rows.values())


def _fallen(
    parts: Sequence[StoredDataset], duplicates: Options | None
) -> Mapping[str, tuple[str, float]]:
    """Return id of each environment that falls → what it resembles, and how much."""
    if duplicates is None:
        return {}
    among: dict[str, Function] = {}
    for part in parts:
        for row in part.rows():
            # of two, the first name stays
            name = f"{row.repo} {row.path}::{row.qualname} {row.id}"
            among[name] = Function(
                name, row.repo, row.path, row.qualname, row.code, row.created, row.split
            )
    verdicts = find_duplicates(list(among.values()), duplicates)
    return {
        each.id.rpartition(" ")[2]: (each.resembles.rpartition(" ")[2], each.similarity)
        for each in verdicts.fallen
    }


def _judged(row: FunctionRow, fallen: Mapping[str, tuple[str, float]]) -> FunctionRow:
    found = fallen.get(row.environment or "")
    if found is None:
        return row
    resembles, similarity = found
    return row.as_duplicate(resembles, similarity, row.split)


def write_part(
    dataset: StoredDataset, store: Store, belongs: Callable[[Row], bool], split: str | None = None
) -> dict[str, Any]:
    """Write the rows of all tables that belong to a part as a dataset; return its manifest.

    Args:
        dataset: the whole.
        store: where the part goes.
        belongs: whether a row is of the part.
        split: what all rows say in their column `split`; `None` leaves it.
    """
    changes: dict[str, Any] = {} if split is None else {"split": split}
    functions = [replace(row, **changes) for row in dataset.functions() if belongs(row)]
    made = Counter(row.repo for row in functions if row.environment is not None)
    repositories = [
        replace(row, environments=made[row.repo], **changes)
        for row in dataset.repositories()
        if belongs(row)
    ]
    rows = (replace(row, **changes) for row in dataset.rows() if belongs(row))
    content = Content(
        sorted(rows, key=environment_order),
        functions,
        repositories,
        dataset.blobs.read,
        _about(dataset.manifest),
    )
    return write_dataset(store, content)


def _about(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a manifest that another dataset takes over."""
    return {
        name: manifest[name]
        for name in ("tool_version", "thresholds", "build", "duplicates")
        if name in manifest
    }
