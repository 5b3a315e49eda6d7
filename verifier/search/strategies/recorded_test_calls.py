"""Drafts from the calls that the repository's own tests make of the target.

The tests are chosen by names. The sandbox records what they pass (`sandbox/recording`), which is
untrusted: only expressions of known forms become drafts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from ....slicer.analysis.names.word_mentions import Mentions
from ....slicer.errors import SourceError
from ....slicer.model import Slice
from ....slicer.repo.repository import Repository
from ...evidence.recordings.carving import Script
from ...evidence.recordings.recorded_calls import RecordedCall, recorded_calls
from ...execution.executors.interface import Determinism, Job, Limits, Outcome, Suite
from ...inputs.argument_pools import Inputs
from ...inputs.statements import Statement, on_receiver
from ..drafts.drafts import Draft, first_draft
from ..drafts.fixture_files import text_file

LIMITS = Limits(wall_seconds=60.0, cpu_seconds=15.0, memory_bytes=2 << 30)
_MOST_FILES = 8
_MOST_BYTES = 24 << 20
"""Largest size of the repository's copy."""
_SCRIPT = "slice_func_calls.py"
"""Name of an empty script, which no repository uses."""
_MOST_SITES = 10
_LEAST_WORD = 4
"""Least length of a word in a file's name that says what it is about."""
_OF_MODULE, _OF_FUNCTION = 3.0, 6.0
"""Weight of a word in a test's name that no other test's name has."""


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


def search_words(repository: Repository, qualname: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return names that show a call in a test: of the target, and of its callers."""
    return _words(qualname), _callers(Mentions(repository), qualname)


def relevant_test_files(repository: Repository, path: str, qualname: str) -> tuple[str, ...]:
    """Return the few test files that name the target, its class or its module."""
    mentions = Mentions(repository)
    named = [set(mentions.files([word])) for word in _words(qualname)]
    calling = [set(mentions.files([word])) for word in _callers(mentions, qualname)]
    tests = [file for file in mentions.paths if is_test(file)]
    weights = _name_weights(tests, path, qualname)
    found: list[tuple[float, str]] = []
    for file in tests:
        score = sum(2 for files in named if file in files) + weights[file]
        score += any(file in files for files in calling)
        found.append((-score, file))
    return tuple(file for score, file in sorted(found)[:_MOST_FILES] if score)


def _name_weights(tests: Sequence[str], path: str, qualname: str) -> dict[str, float]:
    """Weigh tests by words in their names that match a function; rare words weigh more."""
    *_, stem = path.removesuffix(".py").removesuffix("/__init__").split("/")
    *above, name = qualname.lower().split(".")
    weights = dict.fromkeys((stem.strip("_").lower(), *above), _OF_MODULE)
    weights |= dict.fromkeys(name.split("_"), _OF_FUNCTION)
    scores = dict.fromkeys(tests, 0.0)
    for word, weight in weights.items():
        having = [file for file in tests if word in file.rpartition("/")[2]]
        for file in having if len(word) >= _LEAST_WORD else ():
            scores[file] += weight / math.sqrt(len(having))
    return scores


def _callers(mentions: Mentions, qualname: str) -> tuple[str, ...]:
    """Return definitions that call the target or make instances of its class."""
    *_, name = [qualname.partition(".")[0], *_words(qualname)]
    found: dict[str, None] = {}
    for word in dict.fromkeys((name, qualname.partition(".")[0])):
        for site in islice(mentions.calls(word), _MOST_SITES):
            if not is_test(site.module.path):
                found.update(dict.fromkeys(site.unit.binds))
    return tuple(found)[:_MOST_SITES]


def is_test(path: str) -> bool:
    """Whether a file holds tests, by its name."""
    *_, short = path.split("/")
    return (
        short.startswith("test_")
        or short.endswith(("_test.py", "_tests.py"))
        or (short in ("test.py", "tests.py"))
    )


def _words(qualname: str) -> tuple[str, ...]:
    parts = qualname.split(".")
    return tuple(part for part in parts if not part.startswith("__"))


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
