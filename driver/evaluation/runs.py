"""Runs as they lie on disk: their settings and their samples."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ...slicer.errors import SliceFuncError
from ..datasets.storage.store import Store
from .sample_rows import SampleRow

Row = TypeVar("Row")
FOLDER = ".run"
"""Folder of the journal of a run."""
SAMPLES = "samples.parquet"
RUN = "run.json"
SCHEMA = 1


class RunError(SliceFuncError):
    """A location that holds no finished run, or a damaged one."""

    advice = "name a folder that slice-func eval has written; go on with --resume if it was stopped"


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run."""

    location: str
    settings: Mapping[str, Any]
    """`run.json`: model, context, agent, and all else that decided its samples."""
    samples: tuple[SampleRow, ...]


def write_run(store: Store, settings: Mapping[str, Any], samples: Sequence[SampleRow]) -> None:
    """Write a finished run: the same samples give the same bytes."""
    from ..datasets.storage.parquet import table_bytes

    store.write(RUN, (json.dumps(settings, indent=2, sort_keys=True) + "\n").encode())
    store.write(SAMPLES, table_bytes(SampleRow, samples))


@dataclass(frozen=True, slots=True)
class RunTable:
    """A finished run, of which nothing but the settings is in memory."""

    store: Store
    settings: Mapping[str, Any]
    """`run.json`."""

    @property
    def location(self) -> str:
        """Where it is, as the user named it."""
        return self.store.location

    def rows(self, kind: type[Row]) -> Iterator[Row]:
        """Yield the samples, with the columns that a dataclass has fields for.

        Raises:
            StoreError: the table is damaged.
        """
        from ..datasets.storage.parquet import UNREADABLE, read_rows

        with self.store.reading(SAMPLES, UNREADABLE), self.store.open(SAMPLES) as file:
            yield from read_rows(kind, file)


def open_run(location: str) -> RunTable:
    """Return the run at a folder or URL, for reading its samples one by one.

    Raises:
        RunError: there is none, or its settings are damaged.
    """
    store = Store.at(location)
    if not store.exists(SAMPLES):
        raise RunError(f"{location}: no run: it has no {SAMPLES}")
    try:
        settings: object = json.loads(store.read(RUN))
    except (FileNotFoundError, ValueError, RecursionError) as error:
        raise RunError(f"{location}/{RUN}: {error}") from None
    if not isinstance(settings, dict) or settings.get("schema") != SCHEMA:  # pyright: ignore[reportUnknownMemberType]
        raise RunError(f"{location}/{RUN}: it has another schema than {SCHEMA}")
    if not isinstance(settings.get("model"), str) or not isinstance(settings.get("samples"), int):  # pyright: ignore[reportUnknownMemberType]
        raise RunError(f"{location}/{RUN}: it does not say its model and samples")
    return RunTable(store, settings)  # pyright: ignore[reportUnknownArgumentType]


def read_run(location: str) -> Run:
    """Return the run at a folder or URL.

    Raises:
        RunError: there is none, or its settings are damaged.
        StoreError: its table is damaged.
    """
    table = open_run(location)
    return Run(location, table.settings, tuple(table.rows(SampleRow)))
