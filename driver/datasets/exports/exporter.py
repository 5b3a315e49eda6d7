"""The contract of an exporter: environments in, files out, the same bytes each time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ....slicer.model import EmittedFile
from ...record.environment_files import Environment
from ..storage.columns import EnvironmentRow

Pair = tuple[EnvironmentRow, Environment]
"""A row of a dataset, and its environment."""


@dataclass(frozen=True, slots=True)
class Consumer:
    """A release that read and ran what the exporter writes, and the Python that it ran under."""

    distribution: str
    release: str
    python: str

    def __str__(self) -> str:
        """As the manual lists it."""
        return f"{self.distribution} {self.release} (Python {self.python})"


@dataclass(frozen=True, slots=True)
class Exporter:
    """One format."""

    gives: str
    """What it writes, in a line for the manual."""
    consumers: tuple[Consumer, ...]
    """What it was run with; empty where a format is only read."""
    files: Callable[[Iterable[Pair]], Iterator[EmittedFile]]
    """Yields the files of the export, with paths inside it.

    The pairs come sorted by repository, path and qualified name. Only files that `hidden` names
    hold originals.
    """
    hidden: tuple[str, ...] = ()
    """Globs of the files that may hold the original: solutions, and environments for scoring."""
