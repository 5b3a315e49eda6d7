"""Drafts from the calls that the repository's own tests make of the target.

The sandbox records what the tests pass (`sandbox/recording`), which is untrusted: only expressions
of known forms become drafts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ....slicer.errors import SourceError
from ....slicer.model import Slice
from ....slicer.repo.repository import Repository
from ...evidence.recordings.carving import Script
from ...evidence.recordings.recorded_calls import RecordedCall, recorded_calls
from ...evidence.recordings.relevant_tests import relevant_test_files, search_words
from ...execution.executors.interface import Determinism, Job, Limits, Outcome, Suite
from ...inputs.argument_pools import Inputs
from ...inputs.statements import Statement, on_receiver
from ..drafts.drafts import Draft, first_draft
from ..drafts.fixture_files import text_file

LIMITS = Limits(wall_seconds=60.0, cpu_seconds=15.0, memory_bytes=2 << 30)
_MOST_BYTES = 24 << 20
"""Largest size of the repository's copy."""
_SCRIPT = "slice_func_calls.py"
"""Name of an empty script, which no repository uses."""


def suite_of(repository: Repository, sliced: Slice) -> Suite | None:
    """Return the tests that most likely call the slice's target; `None` if there are none."""
    target = sliced.manifest.targets[0]
    tests = relevant_test_files(repository, target.path, target.qualname)
    if not tests:
        return None
    name = repository.module_name(target.path)
    parts = target.path.removesuffix(".py").removesuffix("/__init__").split("/")
    root = "/".join(parts[: len(parts) - len(name.split("."))])
    paths = dict.fromkeys(d.path for d in sliced.manifest.definitions)
    words, callers = search_words(repository, target.qualname)
    return Suite(
        tuple(dict.fromkeys((root, ""))),
        tests,
        target.path,
        target.qualname,
        tuple(paths),
        words=words,
        callers=callers,
    )


def job_of(repository: Repository, suite: Suite, determinism: Determinism) -> Job:
    """Return the job that runs the tests in a copy of the repository."""
    return Job(
        "",
        task="calls",
        name=_SCRIPT,
        files=tuple(copied(repository)),
        suite=suite,
        determinism=determinism,
        limits=LIMITS,
    )


def copied(repository: Repository) -> Iterator[tuple[str, bytes]]:
    """Yield the repository's files up to a size limit, code first."""
    left = _MOST_BYTES
    for path in dict.fromkeys((*repository.python_files(), *_files(repository))):
        try:
            data = repository.read_data(path)
        except SourceError:
            continue
        if len(data) <= left:
            left -= len(data)
            yield path, data


def _files(repository: Repository) -> Iterator[str]:
    """Yield the files outside hidden folders, upper folders first."""
    folders = [""]
    for folder in folders:  # grows while it is read
        for name in sorted(repository.listing(folder)):
            path = f"{folder}/{name}".lstrip("/")
            if not name.endswith("/"):
                yield path  # hidden files as well: a folder may exist for their sake
            elif not name.startswith("."):
                is_link = (repository.path / path.rstrip("/")).is_symlink()
                folders += [] if is_link else [path.rstrip("/")]


def called(
    outcome: Outcome, repository: Repository, sliced: Slice, inputs: Inputs
) -> tuple[Draft, ...]:
    """Return the drafts from a run of tests."""
    return recorded_drafts(recorded_calls(outcome.records), repository, sliced, inputs)


def recorded_drafts(
    calls: Iterable[RecordedCall], repository: Repository, sliced: Slice, inputs: Inputs
) -> tuple[Draft, ...]:
    """Return recorded calls of the slice's target as drafts."""
    script = Script(repository, sliced)
    first = first_draft(inputs)
    carved = (script.carved(call, first.receiver) for call in calls)
    drafts = (_draft(call, inputs, first) for call in carved)
    return tuple(dict.fromkeys(draft for draft in drafts if draft is not None))


def _draft(call: RecordedCall, inputs: Inputs, first: Draft) -> Draft | None:
    """Return a carved call as a draft. Values that could not be written are the likeliest ones."""
    given = dict(first.arguments)
    for pool in inputs.pools:
        if pool.is_optional and pool.call == 0:
            given.pop(pool.name, None)
    known = {pool.name: pool for pool in inputs.pools if pool.call == 0}
    is_new = False
    first = replace(first, before=tuple(_laid_out(call.files)))
    for name, text in call.arguments:
        if name in known and text and not (known[name].is_optional and _is_empty(text)):
            given[name] = text
            is_new = True
    if call.receiver and inputs.kind in ("method", "property"):
        states = (Statement.setting(on_receiver(f".{n}"), text) for n, text in call.states)
        filled = (
            Statement(on_receiver(f"{key}({text})"))
            if key.startswith(".")
            else Statement.setting(on_receiver(f"[{key}]"), text)
            for key, text in call.contents
        )
        first = replace(first, receiver=call.receiver, before=(*first.before, *states, *filled))
        is_new = True
    return replace(first, arguments=tuple(given.items())) if is_new else None


def _laid_out(files: Iterable[tuple[str, str]]) -> Iterator[Statement]:
    """Yield statements that create files and folders; folders end with a slash."""
    made = {""}
    for path, text in files:
        folder = path.rpartition("/")[0]
        if folder not in made:
            made.add(folder)
            yield Statement(f"__import__('os').makedirs({folder!r}, exist_ok=True)")
        if not path.endswith("/"):
            yield text_file(path, text)


def _is_empty(text: str) -> bool:
    return text in ("()", "{}")
