"""A dataset without what reference sets, its own evaluation split, or other rows know already."""

from __future__ import annotations

import heapq
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..storage.columns import (
    DUPLICATE,
    IN_REFERENCE_SET,
    EnvironmentRow,
    FunctionRow,
    RepositoryRow,
)
from ..storage.dataset import Dataset, StoredDataset
from ..storage.digests import digest
from ..storage.environment_rows import file_contents
from ..storage.store import Store
from ..storage.write_dataset import Content, environment_order, write_dataset
from .find_duplicates import find_duplicates, split_of
from .function import Fallen, Function, Options, Reference
from .report import duplicate_report

REPORT = "decontamination.json"
"""Beside the manifest: all that was left out, and why."""
_MADE = frozenset({"schema", "counts", "tables", "blobs"})
"""Fields of a manifest that are made when it is written."""


def functions_of(rows: Iterable[EnvironmentRow]) -> Iterator[Function]:
    """Yield the original functions of environments."""
    for row in rows:
        yield Function(row.id, row.repo, row.path, row.qualname, row.code, row.created, row.split)


def decontaminate(
    dataset: Dataset, store: Store, references: Sequence[Reference], options: Options
) -> dict[str, Any]:
    """Write a dataset without its duplicates and references; return the report.

    Raises:
        OSError: the place cannot be written.
    """
    functions = list(functions_of(dataset.rows()))
    verdicts = find_duplicates(functions, options, references)
    report = duplicate_report(functions, verdicts, options)
    splits = dict(verdicts.kept)
    fallen = {each.id: each for each in verdicts.fallen}
    files = _Files(dataset)
    summary = {name: value for name, value in report.items() if name != "rows"}
    content = Content(
        files.followed(_kept(dataset, functions, splits)),
        [_function_row(row, splits, fallen) for row in dataset.functions()],
        _repositories(dataset, functions, splits, options),
        files.read,
        {
            **{name: value for name, value in dataset.manifest.items() if name not in _MADE},
            "decontaminated": {**summary, "references": len(references)},
        },
    )
    store.write(REPORT, (json.dumps(report, indent=2) + "\n").encode())
    write_dataset(store, content)
    return report


def _kept(
    dataset: Dataset, functions: Sequence[Function], splits: Mapping[str, str]
) -> Iterator[EnvironmentRow]:
    """Yield the rows that stay, in the order in which they are written."""
    moves = {(splits[each.id], each.split) for each in functions if each.id in splits}
    for new in sorted({new for new, _ in moves}):
        parts = (_moved(dataset, splits, new, old) for to, old in sorted(moves) if to == new)
        yield from heapq.merge(*parts, key=environment_order)


def _moved(
    dataset: Dataset, splits: Mapping[str, str], new: str, old: str | None
) -> Iterator[EnvironmentRow]:
    for row in dataset.rows():
        if row.split == old and splits.get(row.id) == new:
            yield replace(row, split=new)


def _function_row(
    row: FunctionRow, splits: Mapping[str, str], fallen: Mapping[str, Fallen]
) -> FunctionRow:
    if row.environment is None:
        return row
    if row.environment in splits:
        return replace(row, split=splits[row.environment])
    why = fallen[row.environment]
    code = IN_REFERENCE_SET if why.between == "reference" else DUPLICATE
    return row.as_duplicate(why.resembles, why.similarity, why.split, code)


def _repositories(
    dataset: Dataset,
    functions: Sequence[Function],
    splits: Mapping[str, str],
    options: Options,
) -> list[RepositoryRow]:
    left = Counter(each.repo for each in functions if each.id in splits)
    return [
        replace(
            row,
            environments=min(row.environments, left[row.repo]),
            split=split_of(row.created, row.split, options),
        )
        for row in dataset.repositories()
    ]


@dataclass(slots=True)
class _Files:
    """The files of the rows that are being copied."""

    dataset: Dataset
    _latest: Mapping[str, bytes] | None = None

    def followed(self, rows: Iterable[EnvironmentRow]) -> Iterator[EnvironmentRow]:
        """Yield the rows; the files of the latest one can be read."""
        for row in rows:
            if not isinstance(self.dataset, StoredDataset):
                contents = file_contents(self.dataset.environment(row.id)).values()
                self._latest = {digest(each): each for each in contents}
            yield row

    def read(self, name: str) -> bytes:
        """Return the file of a hash."""
        if isinstance(self.dataset, StoredDataset):
            return self.dataset.blobs.read(name)
        assert self._latest is not None
        return self._latest[name]
