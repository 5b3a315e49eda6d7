"""Feature implementation: commits of a repository, with their tests taken away.

The start is the parent of a commit, what is asked is its message, and what decides are the tests
that the commit adds or changes: those that fail before it and pass after it, and those that pass
before and after. A commit is a task only if its own change makes such tests pass, twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ....llm.retrieval.languages import language_of
from ....slicer.errors import SliceFuncError
from ...datasets.building.plan import RepositoryPlan
from ...places.git_objects import GitObjects
from .grading import Edits, Grader
from .task_file import RepositoryTask, RunOfTests
from .test_paths import is_of_tests
from .toolchains import language_of_repository, run_of_tests

_MOST_FILES = 8
"""Files of a commit, without tests."""
_MOST_LINES = 400
"""Lines of a commit's change, without tests."""
_MOST_READ = 2000
"""Commits that are looked at."""
_ENDINGS = {
    "python": (".py",), "go": (".go",), "rust": (".rs",),
    "javascript": (".js", ".mjs", ".cjs"), "java": (".java",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A commit that is no task, and why."""

    commit: str
    reason: str


@dataclass(frozen=True, slots=True)
class _Change:
    commit: str
    parent: str
    message: str
    files: Edits
    tests: Edits


def feature_tasks(
    origin: RepositoryPlan, git: GitObjects, grader: Grader, commits: int
) -> Iterator[RepositoryTask | LeftOut]:
    """Yield the tasks in a repository's latest commits that change code and tests.

    Args:
        origin: the repository, and the commit whose history is read.
        git: its objects.
        grader: runs tests.
        commits: number of such commits that are tried.
    """
    tried = 0
    for change in _changes(git, origin.commit or "HEAD"):
        if isinstance(change, LeftOut):
            yield change
            continue
        if tried >= commits:
            return
        tried += 1
        try:
            yield _task(origin, change, grader)
        except SliceFuncError as error:
            yield LeftOut(change.commit, error.problem.splitlines()[0])


def _task(origin: RepositoryPlan, change: _Change, grader: Grader) -> RepositoryTask | LeftOut:
    """Return the task of a commit, or why it is none."""
    paths = sorted(path for path, text in change.files.items() if text is not None)
    draft = RepositoryTask(
        family="feature",
        language="",
        repo=origin.repo,
        source=origin.source,
        commit=change.parent,
        path=paths[0],
        name=change.message.partition("\n")[0][:100],
        statements={"message": change.message},
        start={},
        tests=change.tests,
        gold=change.files,
        run=RunOfTests((), "pytest"),
        expected=(),
        kept=(),
        metadata={"commit": change.commit},
    )
    folder = grader.checkout(draft).folder
    language = language_of_repository(folder)
    if not any(path.endswith(_ENDINGS[language]) for path in paths):
        return LeftOut(change.commit, "it changes no code of the repository's language")
    tests = [path for path, text in change.tests.items() if text is not None]
    draft = replace(draft, language=language, run=run_of_tests(folder, language, sorted(tests)))
    return checked_task(draft, grader) or LeftOut(
        change.commit, "no test fails before it and passes after it, twice"
    )


def checked_task(
    draft: RepositoryTask, grader: Grader, only: Sequence[str] = ()
) -> RepositoryTask | None:
    """Return a task with its tests, by running them at the start and with the solution.

    `None` if no test fails before and passes after, in both of two runs.

    Args:
        draft: the task without tests.
        grader: runs tests.
        only: the tests that count; by default all.
    """
    draft = with_needs(draft, grader)
    after = grader.run(draft, draft.gold).results
    if "passed" not in after.values():
        return None
    before = grader.run(draft, {}).results
    again = grader.run(draft, draft.gold).results
    passed = sorted(test for test, result in after.items() if result == again.get(test) == "passed")
    expected = tuple(test for test in passed if before.get(test) != "passed")
    kept = tuple(test for test in passed if before.get(test) == "passed")
    return replace(draft, expected=expected, kept=kept) if expected else None


_TRIES = 4


def with_needs(draft: RepositoryTask, grader: Grader) -> RepositoryTask:
    """Return a task with the requirements that its tests' errors show to be missing."""
    if draft.language != "python":
        return draft
    from ....slicer import Repository
    from ...pipeline.recording.recording_place import RecordingPlace

    place = RecordingPlace(Repository(grader.checkout(draft).folder), installs=True)
    for _ in range(_TRIES):
        output = grader.run(draft, draft.gold).outcome.output
        found = place.missing_requirement(draft.path, output)
        if found is None or found in draft.run.needs:
            break
        draft = replace(draft, run=replace(draft.run, needs=(*draft.run.needs, found)))
    return draft


def _changes(git: GitObjects, latest: str) -> Iterator[_Change | LeftOut]:
    """Yield the commits that change code and tests, the latest first."""
    log = git.run(
        "log", "--no-merges", "--format=%H %P", "-n", str(_MOST_READ), latest, seconds=120
    )
    found = (log or b"").decode("ascii").splitlines()
    for line in found:
        commit, *parents = line.split()
        if len(parents) != 1:
            continue
        listed = git.run("diff", "--name-status", "--no-renames", "-z", parents[0], commit)
        words = (listed or b"").decode("utf-8", "surrogateescape").split("\0")[:-1]
        paths = dict(zip(words[1::2], words[::2], strict=False))
        tests = [path for path in paths if is_of_tests(path) and language_of(path)]
        files = [path for path in paths if not is_of_tests(path)]
        code = [path for path in files if language_of(path)]
        if not tests or not code:
            continue
        lines = git.run("diff", "--numstat", parents[0], commit, "--", *code) or b""
        size = sum(int(n) for row in lines.splitlines() for n in row.split()[:2] if n.isdigit())
        if len(code) > _MOST_FILES or size > _MOST_LINES:
            yield LeftOut(commit, "its change is too large")
            continue
        message = (git.run("log", "-1", "--format=%B", commit) or b"").decode("utf-8", "replace")
        yield _Change(
            commit,
            parents[0],
            message.strip(),
            {path: _text(git, commit, path) for path in code},
            {path: _text(git, commit, path) for path in tests},
        )
    if len(found) == _MOST_READ:
        yield LeftOut(latest, f"commits before its latest {_MOST_READ:,} are not read")


def _text(git: GitObjects, commit: str, path: str) -> str | None:
    found = git.run("show", f"{commit}:{path}")
    return None if found is None else found.decode("utf-8", "surrogateescape")
