"""Full disks: what a function gives while its worker's disk is full says nothing of the function.

Such a row is tried again by `--resume`, and a dataset is not finished as long as there is one.
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from ....slicer.errors import SliceFuncError
from ...record.reason_codes import ADVICE, Reason, reason
from ...settings.cache_folders import cache_folder
from .tasks import Result, Surveyed

CODE = "disk_full"
_LEAST_BYTES = 16 << 20
"""Free space below which a disk counts as full: programs that lack it do not always say so."""
_IN_A_ROW = 4
"""Number of results of a worker, one after the other, after which a build does not go on."""


class DiskFullError(SliceFuncError):
    """A disk is full, so that the build cannot go on or cannot be finished."""

    advice = "make room on that disk, then run the same command with --resume"


def full_disk(path: str = "") -> Reason | None:
    """Return the reason if a disk of this machine's workers is full."""
    for folder in (cache_folder(), Path(tempfile.gettempdir())):
        free = shutil.disk_usage(_existing(folder)).free
        if free < _LEAST_BYTES:
            return reason(CODE, path, None, f"{folder}: {free >> 20} MB are free")
    return None


def _existing(place: Path) -> Path:
    while not place.exists():
        place = place.parent
    return place


@dataclass(slots=True)
class FullDisks:
    """Counts the results of a build that a full disk has spoilt."""

    workers: int
    _first: str = ""
    _count: int = 0
    _in_a_row: int = 0

    def add(self, result: Result) -> None:
        """Count a result.

        Raises:
            DiskFullError: no worker has room any more.
        """
        spoilt = _why_spoilt(result).removesuffix(f" ({ADVICE[CODE]})")
        if not spoilt:
            self._in_a_row = 0
            return
        self._first = self._first or spoilt
        self._count += 1
        self._in_a_row += 1
        if self._in_a_row >= _IN_A_ROW * self.workers:
            raise DiskFullError(self._first)

    def check(self) -> None:
        """Look whether all results count.

        Raises:
            DiskFullError: a full disk has spoilt some.
        """
        if self._count:
            raise DiskFullError(f"{self._first}; functions and repositories left: {self._count}")


def _why_spoilt(result: Result) -> str:
    if isinstance(result, Surveyed):
        return result.reason if result.rule == CODE else ""
    return result.disk_full
