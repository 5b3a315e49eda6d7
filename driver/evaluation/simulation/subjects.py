"""What simulated models know: for each question, the right answer and wrong ones."""

from __future__ import annotations

import ast
import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ...datasets.exports.answers import equivalent_definitions, wrong_definitions
from ...datasets.exports.task_files import fenced
from ...datasets.scoring.catalogue import Catalogue
from ...datasets.storage.columns import EnvironmentRow
from ..repository_tasks.class_answers import empty_class
from ..repository_tasks.grading import Grader
from ..repository_tasks.repository_tasks import solution_diff
from ..repository_tasks.task_file import RepositoryTask

_ASKED = re.compile(
    r"Write the Python (?:method|function) `([^`]+)` of `([^`]+)`"
    r"|`([^`]+)` in `([^`]+)` has a mistake"
)
_CLASS = re.compile(r"Write the \w+ class `([^`]+)` of `([^`]+)` in the repository `([^`]+)`")


@dataclass(frozen=True, slots=True)
class Subject:
    """A task that a question can be about, with its answers."""

    id: str
    name: str
    gold: str
    """The right answer, in Markdown."""
    wrong: Sequence[str]
    """Wrong answers, in Markdown."""
    equivalent: Sequence[str] = ()
    """Other right answers."""
    heads: Sequence[str] = ()
    """First lines of the definitions that it needs."""


class Subjects(Protocol):
    """Finds what a question is about."""

    def find(self, text: str) -> Subject | None:
        """Return the subject of a question; `None` if it is about none."""
        ...


@dataclass(slots=True)
class EnvironmentSubjects:
    """The functions of a dataset."""

    catalogue: Catalogue
    _rows: dict[tuple[str, str], list[EnvironmentRow]] = field(
        default_factory=dict[tuple[str, str], list[EnvironmentRow]]
    )
    _known: dict[str, Subject] = field(default_factory=dict[str, Subject])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Sort the environments by what a question names."""
        for row in self.catalogue.dataset.rows():
            self._rows.setdefault((row.qualname, row.path), []).append(row)

    def find(self, text: str) -> Subject | None:
        """Return the function that a question names."""
        found = _ASKED.search(text)
        named = [each for each in found.groups() if each] if found else ["", ""]
        rows = self._rows.get((named[0], named[1]), [])
        if not rows:
            return None
        row = next((row for row in rows if row.signature.strip() in text), rows[0])
        with self._lock:
            known = self._known.get(row.id)
        if known is None:
            environment = self.catalogue.environment(row.id)
            wrong = wrong_definitions(row, environment) or ["raise NotImplementedError"]
            right = equivalent_definitions(row, environment)
            known = Subject(
                row.id,
                row.qualname,
                fenced(row.code),
                list(map(fenced, wrong)),
                list(map(fenced, right)),
                needed_heads(row),
            )
            with self._lock:
                self._known[row.id] = known
        return known


@dataclass(slots=True)
class RepositorySubjects:
    """Tasks that a repository's tests judge."""

    tasks: Mapping[str, RepositoryTask]
    grader: Grader

    def find(self, text: str) -> Subject | None:
        """Return the task that a question states."""
        found = _CLASS.search(text)
        for identity, task in self.tasks.items():
            if task.family == "class":
                if found and found.groups() == (task.name, task.path, task.repo):
                    imports = str(task.metadata.get("imports", ""))
                    code = f"{imports}\n\n{task.metadata['code']}".lstrip("\n")
                    right, wrong = (
                        fenced(each, task.language) for each in (code, empty_class(task))
                    )
                    return Subject(identity, task.name, right, [wrong])
            elif task.statements["message"] in text and f"`{task.repo}`" in text:
                return Subject(
                    identity,
                    task.name,
                    f"```diff\n{solution_diff(self.grader, task)}```\n",
                    ["No change is needed.\n"],
                )
        return None


def needed_heads(row: EnvironmentRow) -> list[str]:
    """Return the first lines of the functions and classes of the slice beside the target."""
    try:
        body = ast.parse(row.prompt).body
    except SyntaxError:
        return []
    own = row.qualname.partition(".")[0]
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    lines = row.prompt.splitlines()
    return [
        lines[node.lineno - 1].strip()
        for node in body
        if isinstance(node, kinds) and node.name != own
    ]
