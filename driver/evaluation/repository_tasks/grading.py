"""Grades of answers: the repository's tests run on a copy, with the answer's changes."""

from __future__ import annotations

import json
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path, PurePosixPath

from ....slicer import Repository
from ....slicer.errors import SliceFuncError
from ....verifier.execution.commands.sandboxed_command import (
    CommandLimits,
    CommandOutcome,
    copied,
    remove,
    run_command,
)
from ....verifier.execution.commands.test_reports import REPORTS, Results
from ....verifier.scoring.verdict import Score, Verdict
from ...datasets.building.checkouts import Checkout, open_checkout
from ...datasets.building.plan import RepositoryPlan
from .task_file import RepositoryTask
from .test_paths import decides
from .toolchains import command_for, node_modules_link

Edits = Mapping[str, str | None]
"""New texts of files by path; `None` for one that goes."""


class EditError(SliceFuncError):
    """A change outside the repository."""

    advice = "name files of the repository"


@dataclass(frozen=True, slots=True)
class OutcomeOfTests:
    """What came of a run of the tests."""

    results: Results
    outcome: CommandOutcome


@dataclass(slots=True)
class Grader:
    """Runs the tests of tasks; at most so many at once. Thread-safe."""

    workers: int = 2
    limits: CommandLimits = field(default_factory=CommandLimits)
    _turns: threading.Semaphore = field(init=False)
    _known: dict[str, Score] = field(default_factory=dict[str, Score])
    _checkouts: dict[tuple[str, str], Checkout] = field(
        default_factory=dict[tuple[str, str], Checkout]
    )
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Make the turns."""
        self._turns = threading.Semaphore(self.workers)

    def score(self, task: RepositoryTask, edits: Edits) -> Score:
        """Return the verdict on changes of the files at the start.

        Shown cases are the tests that a model may be told of; hidden cases are all others. Changes
        of tests and of their settings are put aside: those of the repository decide.

        Raises:
            SliceFuncError: the repository or its toolchain cannot be had.
        """
        edits = {path: text for path, text in edits.items() if not decides(path)}
        about = json.dumps([task.id, sorted(edits.items())]).encode()
        key = sha256(about).hexdigest()
        with self._lock:
            known = self._known.get(key)
        if known is None:
            known = self._scored(task, edits)
            if known.verdict != "timeout":
                with self._lock:
                    self._known[key] = known
        return known

    def run(self, task: RepositoryTask, edits: Edits, *, has_tests: bool = True) -> OutcomeOfTests:
        """Return the results of the tests, with changes of the files at the start.

        Args:
            task: the task.
            edits: the changes.
            has_tests: whether the task's own test files are put in place.

        Raises:
            SliceFuncError: the repository or its toolchain cannot be had.
        """
        folder = self.checkout(task).folder
        with self._turns, tempfile.TemporaryDirectory(prefix="slice-func-tests-") as place:
            copy = Path(place, "repository")
            copied(folder, copy)
            apply_edits(copy, task.start)
            apply_edits(copy, edits)
            if has_tests:
                apply_edits(copy, task.tests)
            modules = node_modules_link(folder) if task.language == "javascript" else None
            if modules is not None and not (copy / "node_modules").exists():
                (copy / "node_modules").symlink_to(modules)
            if task.language == "python":
                write_generated_files(folder, copy, task.path)
            command = command_for(folder, task.language, task.run, tuple(sorted(task.tests)))
            try:
                outcome = run_command(copy, command, self.limits)
            finally:
                remove(copy)
        return OutcomeOfTests(REPORTS[task.run.report](outcome.output), outcome)

    def checkout(self, task: RepositoryTask) -> Checkout:
        """Return the files of a task's repository.

        Raises:
            CheckoutError: they cannot be had.
        """
        key = task.source, task.commit
        with self._lock:
            if key not in self._checkouts:
                plan = RepositoryPlan(task.repo, task.source, task.commit)
                self._checkouts[key] = open_checkout(plan)
            return self._checkouts[key]

    def close(self) -> None:
        """Release the checkouts."""
        for each in self._checkouts.values():
            each.close()

    def _scored(self, task: RepositoryTask, edits: Edits) -> Score:
        start = time.monotonic()
        found = self.run(task, edits)
        results, end = found.results, found.outcome.end
        shown = [each for each in task.shown if results.get(each) == "passed"]
        hidden = [each for each in task.hidden if results.get(each) == "passed"]
        is_whole = len(shown) == len(task.shown) and len(hidden) == len(task.hidden)
        verdict: Verdict = "passed" if is_whole else "failed"
        if end == "timeout":
            verdict = "timeout"
        elif not results:
            verdict = "error"
        return Score(
            candidate=task.name,
            verdict=verdict,
            cases_passed=len(shown),
            cases=len(task.shown),
            hidden_passed=len(hidden),
            hidden=len(task.hidden),
            first_difference=None,
            reason="" if is_whole else _reason(task, found),
            seconds=round(time.monotonic() - start, 3),
        )


def apply_edits(folder: Path, edits: Edits) -> None:
    """Write changed files into a copy of a repository.

    Raises:
        EditError: a path leads out of it.
    """
    for path, text in sorted(edits.items()):
        try:
            _edit(_place_in(folder, path), text)
        except (OSError, ValueError, RuntimeError) as error:  # a folder, a loop of links, NUL, …
            reason = getattr(error, "strerror", None) or type(error).__name__
            raise EditError(f"{path[:_SHOWN]!r}: not a file of the repository: {reason}") from None


def _edit(place: Path, text: str | None) -> None:
    if text is None:
        place.unlink(missing_ok=True)
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.is_symlink():
        place.unlink()
    place.write_text(text, "utf-8", "surrogateescape", newline="")


def _place_in(folder: Path, path: str) -> Path:
    """Return where a file of a copy lies.

    Raises:
        EditError: the path leads out of it, or names none.
        OSError: it cannot be looked up.
        ValueError: no path can be so.
    """
    pure = PurePosixPath(path)
    place = folder / pure
    is_inside = place.resolve().is_relative_to(folder.resolve())
    if not pure.name or pure.is_absolute() or ".." in pure.parts or not is_inside:
        raise EditError(f"{path[:_SHOWN]!r}: not a file of the repository")
    return place


def write_generated_files(folder: Path, copy: Path, path: str) -> None:
    """Write what installing the repository would write, such as a module with its version."""
    from ...pipeline.recording.recording_place import RecordingPlace

    place = RecordingPlace(Repository(folder), installs=False)
    for root in place.package_roots:
        for name, content in place.generated_files(path, root):
            with suppress(EditError):  # a build file may name any place
                if not _place_in(copy, name).exists():
                    apply_edits(copy, {name: content.decode()})


_LONGEST = 1500
_SHOWN = 80
"""Characters of a path in an error."""


def _reason(task: RepositoryTask, found: OutcomeOfTests) -> str:
    """Return the failing shown tests, or the errors if no test ran; nothing of hidden tests."""
    failed = [each for each in task.shown if found.results.get(each) != "passed"]
    if found.results:
        messages = [_message(found.outcome.output, each) for each in failed]
        return "\n".join(messages)[:_LONGEST]
    hidden = [PurePosixPath(path).name for path in task.tests]
    lines = [
        line
        for line in found.outcome.output.splitlines()
        if "rror" in line and not any(name in line for name in hidden)
    ]
    ending = f"the tests do not run ({found.outcome.end}, status {found.outcome.status})"
    return "\n".join([ending, *lines[-20:]])[:_LONGEST]


def _message(output: str, test: str) -> str:
    """Return what a runner says of one failed test on one line."""
    for line in output.splitlines():
        if line.startswith(("FAILED ", "ERROR ")) and line.partition(" ")[2].startswith(
            f"{test} - "
        ):
            return line
    return f"FAILED {test}"
