"""Write a dataset in the format of a trainer or a harness."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from ....slicer.errors import SliceFuncError
from ...record.output_files import write_tree
from ..storage.dataset import Dataset
from . import exporter_named
from .exporter import Pair


class NothingToExportError(SliceFuncError):
    """No environment of a dataset was chosen."""


@dataclass(slots=True)
class _Counted:
    """Passes pairs on, and counts them."""

    pairs: Iterator[Pair]
    count: int = 0

    def __iter__(self) -> Iterator[Pair]:
        for pair in self.pairs:
            self.count += 1
            yield pair


def write_export(
    dataset: Dataset,
    format_name: str,
    folder: str | Path,
    *,
    split: str | None = None,
    limit: int | None = None,
) -> int:
    """Write the environments of a dataset into a folder; return their number.

    Args:
        dataset: the dataset.
        format_name: one of `FORMATS`.
        folder: must be new or empty.
        split: `train` or `eval`; by default both.
        limit: maximum number of environments.

    Raises:
        NothingToExportError: there is no environment, or none of the split.
        OutputError: the folder is not empty, or cannot be written.
    """
    if not any(True for _ in _pairs(dataset, split)):
        which = f"no environment of split {split}" if split else "no environment"
        raise NothingToExportError(
            f"{dataset.location}: {which}", "choose another dataset or split"
        )
    pairs = _Counted(islice(_pairs(dataset, split), limit))
    write_tree(folder, exporter_named(format_name).files(pairs))
    return pairs.count


def _pairs(dataset: Dataset, split: str | None) -> Iterator[Pair]:
    for row in dataset.rows():
        if split in (None, row.split):
            yield row, dataset.environment(row.id)
