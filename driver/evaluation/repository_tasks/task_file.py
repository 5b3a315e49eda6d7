"""Tasks on disk: a line of JSON each, in `tasks.jsonl` of a folder."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ....slicer.errors import SliceFuncError

TASKS = "tasks.jsonl"
_IDENTITY = 64


class TaskFileError(SliceFuncError):
    """A folder that holds no tasks, or a line that is none."""

    advice = "name a folder that slice-func eval tasks has written"


@dataclass(frozen=True, slots=True)
class RunOfTests:
    """How the tests of a task run."""

    words: tuple[str, ...]
    """The command; of Python without the interpreter."""
    report: str
    """How its output is read: `pytest`, `go`, `cargo`, `tap` or `junit-xml`."""
    folder: str = ""
    """Folder of the repository where it starts."""
    needs: tuple[str, ...] = ()
    """Requirements of the tests beside those that the repository names."""


@dataclass(frozen=True, slots=True)
class RepositoryTask:
    """Something to write in a repository, whose tests say whether it is right."""

    family: str
    """`feature` or `class`."""
    language: str
    repo: str
    source: str
    """Address or folder of the repository."""
    commit: str
    """The commit whose files are the start, with the changes of `start`."""
    path: str
    """The file to change, or the first of several."""
    name: str
    """Name of the class; of a feature, the first line of its message."""
    statements: Mapping[str, str]
    """Descriptions by kind: `message`, `detailed`, `sketchy`, `skeleton`."""
    start: Mapping[str, str | None]
    """Texts of files that differ at the start from the commit; `None` for one that is gone."""
    tests: Mapping[str, str | None]
    """Files of tests, which are put in place before they run."""
    gold: Mapping[str, str | None]
    """Texts of files of the solution."""
    run: RunOfTests
    expected: tuple[str, ...]
    """Tests that fail at the start and pass with the solution."""
    kept: tuple[str, ...]
    """Tests that pass before and after."""
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def id(self) -> str:
        """Return the SHA-256 of its content."""
        text = json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def shown(self) -> tuple[str, ...]:
        """Return the tests whose results feedback may contain: a third, drawn by their names."""
        count = len(self.expected) // 3 or int(len(self.expected) > 1)
        drawn = sorted(self.expected, key=lambda each: hashlib.sha256(each.encode()).digest())
        return tuple(sorted(drawn[:count]))

    @property
    def hidden(self) -> tuple[str, ...]:
        """Return the tests that decide beside those."""
        shown = frozenset(self.shown)
        return tuple(each for each in (*self.expected, *self.kept) if each not in shown)


def write_tasks(folder: Path, tasks: Iterable[RepositoryTask]) -> int:
    """Write tasks, sorted by repository and id; return how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = sorted(tasks, key=lambda each: (each.repo, each.id))
    text = "".join(f"{json.dumps(asdict(each), sort_keys=True)}\n" for each in rows)
    (folder / TASKS).write_text(text, "ascii")
    return len(rows)


def read_tasks(folder: str | Path) -> list[RepositoryTask]:
    """Return the tasks of a folder.

    Raises:
        TaskFileError: there are none, or a line is none.
    """
    file = Path(folder) / TASKS
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise TaskFileError(f"{file}: {error}") from None
    found: list[RepositoryTask] = []
    for number, line in enumerate(lines, 1):
        try:
            found.append(_task(json.loads(line)))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise TaskFileError(f"{file}:{number}: no task: {error!r}") from None
    if not found:
        raise TaskFileError(f"{file}: no task is in it")
    return found


def is_task_folder(folder: str | Path) -> bool:
    """Whether a folder holds tasks."""
    return (Path(folder) / TASKS).is_file()


def _task(values: dict[str, Any]) -> RepositoryTask:
    run = values.pop("run")
    run = RunOfTests(tuple(run["words"]), run["report"], run["folder"], tuple(run["needs"]))
    for name in ("expected", "kept"):
        values[name] = tuple(map(str, values[name]))
    return RepositoryTask(**values, run=run)
