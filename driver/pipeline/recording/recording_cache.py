"""Pieces of a recording on disk, keyed by repository content, environment and tool."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from ....verifier import sandbox
from ....verifier.execution.environments.installer.process_lock import alone
from ...settings.cache_folders import cache_folder

if TYPE_CHECKING:
    from ....verifier.execution.executors.interface import Profile

_MARGIN = re.compile(r"^E +", re.MULTILINE)
"""Pytest's margin before the lines of an exception."""
_RECORDER = (
    "recording/record_calls.py",
    "state/determinism.py",
    "recording/likeness.py",
    "recording/notes.py",
    "recording/reprs.py",
)
"""The files of the sandbox that determine the records."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Tests, examples or programs that run together."""

    how: Literal["tests", "doctests", "program"]
    files: tuple[str, ...]
    """Files of tests and programs, or modules for the examples in their docstrings."""
    target: str = ""
    """The function that it is run for, as `path::qualname`; empty if it is run for all."""
    noted: tuple[str, ...] = ()
    """Files whose functions record their arguments."""
    module_path: str = ""
    """The file of a module whose docstring examples run for all."""

    @property
    def file(self) -> str:
        """The file that determines what is installed."""
        return self.target.partition("::")[0] or self.module_path or self.files[0]


@dataclass(frozen=True, slots=True)
class Row:
    """The result of a piece."""

    records: tuple[str, ...]
    """Records from the sandbox, unchanged."""
    failure: str = ""
    """Why it did not finish."""
    cpu_seconds: float = 0.0
    is_ours: bool = False
    """Whether the sandbox failed: then it is tried again."""

    @property
    def errors(self) -> str:
        """The errors that kept tests from being collected, or from finishing."""
        return _MARGIN.sub("", "\n\n".join(filter(None, map(_error, self.records))))


def _error(record: str) -> str:
    """Return the text of an error record; empty for other records and invalid ones."""
    try:
        found: object = json.loads(record)
    except (ValueError, RecursionError):
        return ""
    match found:
        case {"kind": "error", "text": str(text)}:
            return text
        case _:
            return ""


@dataclass(frozen=True)
class RowCache:
    """Rows for one state of a repository, in one environment."""

    content: str
    """Digest of the repository's files."""
    profile: Profile

    def find(self, piece: Piece) -> Row | None:
        """Return the row of a piece, if it was kept."""
        try:
            row = cast("dict[str, Any]", json.loads(self._place(piece).read_text("utf-8")))
            return Row(tuple(map(str, row["records"])), str(row["failure"]), row["cpu_seconds"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, piece: Piece, row: Row) -> None:
        """Write a row atomically."""
        place = self._place(piece)
        place.parent.mkdir(parents=True, exist_ok=True)
        known = {f.name: getattr(row, f.name) for f in fields(row) if f.name != "is_ours"}
        draft = place.with_name(f".{place.name}.{id(row)}.part")
        draft.write_text(json.dumps(known), "utf-8", "surrogatepass")
        draft.replace(place)

    @contextmanager
    def turn(self, piece: Piece, *, waits: bool) -> Generator[bool]:
        """Take the exclusive turn for a piece; yield whether this process has it."""
        place = self._place(piece)
        place.parent.mkdir(parents=True, exist_ok=True)
        with alone(place.with_suffix(".lock"), waits=waits) as is_locked:
            yield is_locked

    def _place(self, piece: Piece) -> Path:
        # an environment is in a folder named by the digest of its lock
        python = str(self.profile.python) if self.profile.python else _current_interpreter_key()
        key = json.dumps([self.content, python, _recorder()])
        folder = hashlib.sha256(key.encode()).hexdigest()[:32]
        name = hashlib.sha256(json.dumps(asdict(piece)).encode()).hexdigest()[:32]
        return _folder() / folder / f"{name}.json"


def _folder() -> Path:
    return cache_folder() / "recordings"


@cache
def _current_interpreter_key() -> str:
    """Return a key for the current interpreter, and the distributions installed for it."""
    folders = [place for place in map(Path, sys.path) if place.is_dir()]
    names = {each.name for folder in folders for each in folder.iterdir()}
    installed = sorted(name for name in names if name.endswith((".dist-info", ".egg-info")))
    return json.dumps([sys.executable, sys.version, installed])


def digest_of(files: Iterable[tuple[str, bytes]]) -> str:
    """Return one digest of paths and contents."""
    found = hashlib.sha256()
    for path, data in files:
        found.update(f"{len(path)}:{path}:{len(data)}:".encode("utf-8", "surrogatepass"))
        found.update(data)
    return found.hexdigest()


@cache
def _recorder() -> str:
    """Return a digest of the tool's files that determine the records."""
    folder = Path(sandbox.__path__[0])
    return digest_of((name, (folder / name).read_bytes()) for name in _RECORDER)
