"""The journal of a long run: one JSON line for each result, so that a stopped run can resume."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from ...slicer.errors import OptionError
from ..record.output_files import write_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

SCHEMA = 1


def fingerprint(root: Path, paths: Iterable[str], options: Mapping[str, object]) -> dict[str, Any]:
    """Return a key for a run's results: sources, options, and version of this tool."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.encode("utf-8", "surrogateescape") + b"\0")
        digest.update(hashlib.sha256((root / path).read_bytes()).digest())
    record = {
        "schema": SCHEMA,
        "version": version("slice-func"),
        "sources": digest.hexdigest(),
        "options": options,
    }
    return json.loads(json.dumps(record))  # as it will be read back: lists for tuples


@dataclass(frozen=True, slots=True)
class Journal:
    """An append-only file: the fingerprint, then one row for each result."""

    path: Path
    rows: tuple[dict[str, Any], ...]
    """The results that existed when the journal was opened."""

    @classmethod
    def open(cls, path: Path, key: dict[str, Any]) -> Journal:
        """Start the journal at `path`, or resume it.

        Raises:
            OptionError: the existing results are of other sources, options or another version.
        """
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            _write(path, [key])
            return cls(path, ())
        found = _whole_rows(path)
        if not found or found[0] != key:
            raise OptionError(
                f"{path} is of other sources, options or another version",
                "name a new folder with -o",
            )
        _write(path, found)
        return cls(path, tuple(found[1:]))

    def add(self, row: dict[str, Any]) -> None:
        """Write one result at once, so that it outlives this process."""
        with self.path.open("a", encoding="ascii") as file:
            file.write(json.dumps(row) + "\n")


def _write(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write all rows atomically, so that an interrupted run leaves the old file."""
    write_file(path, "".join(json.dumps(row) + "\n" for row in rows).encode("ascii"))


def _whole_rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of the file, without a truncated last one."""
    rows: list[dict[str, Any]] = []
    for line in path.read_text(encoding="ascii", errors="replace").splitlines():
        try:
            rows.append(json.loads(line))
        except ValueError:
            break
    return rows
