"""Records of a run that can be resumed: one JSON object a line, appended as the run goes."""

from __future__ import annotations

import contextlib
import fcntl
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class Records:
    """The records of one run; those of an earlier one with the same file come first."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self.found: list[dict[str, Any]] = [json.loads(line) for line in _whole_lines(file)]
        self._log = file.open("a", encoding="utf-8")
        try:
            fcntl.flock(self._log, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = f"benchmarks: another process is doing this run: {file.parent}"
            raise SystemExit(message) from None

    def add(self, record: dict[str, Any]) -> None:
        """Append one record, so that an interrupted run keeps it."""
        self.found.append(record)
        self._log.write(json.dumps(record) + "\n")
        self._log.flush()

    def close(self) -> None:
        """Let another process go on with the run."""
        self._log.close()


@contextlib.contextmanager
def opened(file: Path) -> Iterator[Records]:
    """The records in a file, which no other process may extend meanwhile."""
    records = Records(file)
    try:
        yield records
    finally:
        records.close()


def _whole_lines(file: Path) -> Iterator[str]:
    """The lines of a file; a last one that was cut short is dropped from it."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    if text and not text.endswith("\n"):
        text = text[: text.rfind("\n") + 1]
        file.write_text(text, encoding="utf-8")
    return iter(text.splitlines())
