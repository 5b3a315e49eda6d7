"""The files of rows: what is kept, and beside it what is left out."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

from ...record.output_files import write_file
from .curate import Curated


class Row(Protocol):
    """Something that is written as a line of JSON."""

    def to_json(self) -> dict[str, Any]:
        """Return the line's object."""
        ...


def row_bytes(rows: Iterable[Row]) -> bytes:
    """Return rows as JSON lines."""
    # ASCII only: undecodable file names survive
    return b"".join(json.dumps(row.to_json()).encode() + b"\n" for row in rows)


def rejections_beside(output: Path) -> Path:
    """Return the file of rejections: `repos.rejected.jsonl` for `repos.jsonl`."""
    return output.with_name(f"{output.stem}.rejected{output.suffix or '.jsonl'}")


def write_rows(output: str, result: Curated) -> None:
    """Write both files; each is replaced as a whole.

    Raises:
        OutputError: the folder is missing, or a file cannot be written.
    """
    write_file(rejections_beside(Path(output)), row_bytes(result.rejections()))
    write_file(output, row_bytes(result.kept))
