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
    """What a run's results hold for: the sources, the options, and the version of this tool."""
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
    """The results that were there when the journal was opened."""

    @classmethod
    def open(cls, path: Path, key: dict[str, Any]) -> Journal:
        """Start the journal at `path`, or go on with it.

        Raises:
            OptionError: the results there are of other sources, options or another version.
        """
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            _write(path, [key])
            return cls(path, ())
        found = _whole_rows(path)
        if not found or found[0] != key:
            raise OptionError(
                f"{path} is of other sources, options or another version: name a new folder with -o"
            )
        _write(path, found)
        return cls(path, tuple(found[1:]))

    def add(self, row: dict[str, Any]) -> None:
        """Write one result at once, so that it outlives this process."""
        with self.path.open("a", encoding="ascii") as file:
            file.write(json.dumps(row) + "\n")


def _write(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """All at once: whoever is stopped in the middle leaves what was there before."""
    write_file(path, "".join(json.dumps(row) + "\n" for row in rows).encode("ascii"))


def _whole_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of the file, without a last one that was cut off."""
    rows: list[dict[str, Any]] = []
    for line in path.read_text(encoding="ascii", errors="replace").splitlines():
        try:
            rows.append(json.loads(line))
        except ValueError:
            break
    return rows
