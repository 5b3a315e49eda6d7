"""`slice-func score`: verdicts of an environment on candidate files."""

from __future__ import annotations

import errno
import os
import select
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...slicer.errors import SourceError, expect
from ...verifier.execution.executors.choose_executor import choose
from ...verifier.execution.executors.interface import Limits, Profile
from ...verifier.observation.compare_observations import Comparison, Mode
from ...verifier.scoring.candidates.candidate_text import MAX_CHARACTERS
from ...verifier.scoring.leaks.file_masks import masked
from ...verifier.scoring.score import Candidate, Scorer
from ...verifier.scoring.verdict import Score
from ..places.preloaded_modules import with_preload
from ..places.scoring_interpreter import profile_of
from ..record.environment_files import Environment, read_environment

FAILED = 1
SANDBOX_FAILED = 4
_MOST_BYTES = 4 * (MAX_CHARACTERS + 2)
"""Maximum size of a candidate file; larger ones are too long."""
_PIPE_SECONDS = 10.0
"""Time limit until a writer opens a named pipe."""


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """Options of scoring."""

    compare: Mode | None = None
    """What must agree; by default the environment's setting."""
    jobs: int = 1
    """Number of workers."""
    executor: str | None = None
    """Name of the executor; by default the first sandbox that works here."""
    hidden_counts: bool = False
    """Whether scores tell in how many hidden cases a candidate agrees."""
    seconds: int | None = None
    """Time limit of one run of a candidate, in wall-clock and processor seconds; by default 10."""


def score_files(
    folder: str, files: Sequence[str], options: ScoreOptions, report: Callable[[str], None]
) -> Iterator[Score]:
    """Yield the verdict on each file, in their order; `-` is standard input.

    Args:
        folder: the environment.
        files: the candidates.
        options: how they are scored.
        report: receives messages about the sandbox, line by line.

    Raises:
        SliceFuncError: no environment, or one for a newer Python, no sandbox, or requirements that
            cannot be installed again.
        OSError: a candidate cannot be read.
    """
    environment = read_environment(folder)
    for file in files:
        _check(file)
    with _scorer(folder, environment, options, report) as scorer:
        yield from scorer.score_all(map(_candidate, files))


def open_scorer(folder: str | Path, options: ScoreOptions | None = None) -> Scorer:
    """Return a scorer like that of `slice-func score`; close it, or use it in a `with`.

    Raises:
        SliceFuncError: no environment, no sandbox, or requirements that cannot be installed again.
    """
    expect(folder, (str, Path), "the environment", "name the folder that --env has written")
    expect(options, (ScoreOptions, type(None)), "the options", "write ScoreOptions(...)")
    return _scorer(folder, read_environment(folder), options or ScoreOptions(), lambda _line: None)


def _scorer(
    folder: str | Path,
    environment: Environment,
    options: ScoreOptions,
    report: Callable[[str], None],
) -> Scorer:
    """Return a scorer with the environment's locked interpreter and its comparison."""
    _check_python(folder, environment)
    if not environment.is_accepted:
        report(
            f"warning: {folder} is not accepted, and its verdicts say little: {environment.why_not}"
        )
    comparison = Comparison(mode=options.compare or environment.compares)
    profile = profile_of(environment.lock) if environment.lock else Profile()
    profile = with_preload(profile, environment.preload)
    profile = masked(profile, environment.oracle.masked)
    # the expected observations are in the folder
    profile = replace(profile, hidden=(*profile.hidden, Path(folder)))
    choice = choose(profile, wanted=options.executor, keeps=True)
    for line in choice.lines():
        report(line)
    limits = Limits()
    if options.seconds is not None:
        limits = Limits(wall_seconds=options.seconds, cpu_seconds=options.seconds)
    return Scorer(
        environment.oracle,
        jobs=options.jobs,
        comparison=comparison,
        limits=limits,
        make=choice.make,
        profile=profile,
        tells_hidden=options.hidden_counts,
    )


def _check_python(folder: str | Path, environment: Environment) -> None:
    """Refuse an environment whose script needs a newer Python.

    Raises:
        SourceError: it does; the error names the version that it was made under.
    """
    python = environment.python
    if not python or sys.version_info[:2] >= tuple(map(int, python.split("."))):
        return
    from ...slicer.repo.source import parse_text  # it loads much of the slicer

    try:
        parse_text(environment.oracle.script, environment.oracle.path)
    except SourceError as error:
        raise SourceError(f"{folder}: {error.problem}", needs_python=python) from None
    if environment.lock is None:
        message = f"{folder}: was made under Python {python}"
        raise SourceError(message, "run slice-func with that Python", needs_python=python)


def exit_status(scores: Sequence[Score]) -> int:
    """Return the exit status of the command."""
    verdicts = {score.verdict for score in scores}
    if "infrastructure" in verdicts:
        return SANDBOX_FAILED
    return 0 if verdicts <= {"passed"} else FAILED


def line_of(score: Score, *, has_feedback: bool = True) -> str:
    """Return a verdict for people."""
    if not has_feedback:
        return f"{score.candidate}: {score.verdict}"
    passed = f"{score.cases_passed} of {score.cases} cases"
    if score.hidden and score.hidden_passed is not None:
        passed += f", {score.hidden_passed} of {score.hidden} hidden ones"
    reason = f": {score.reason}" if score.reason else ""
    return f"{score.candidate}: {score.verdict}, {passed}{reason}"


def _check(file: str) -> None:
    """Check a file name before the first run; a pipe is opened only when its turn comes."""
    if file == "-":
        return
    if stat.S_ISDIR(Path(file).stat().st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), file)
    if not os.access(file, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), file)


def _candidate(file: str) -> Candidate:
    if file == "-":
        content = sys.stdin.buffer.read(_MOST_BYTES)
    else:
        with open(file, "rb", opener=_opened) as stream:
            content = stream.read(_MOST_BYTES)  # some files never end
    return Candidate(file, content.decode("utf-8", "replace"))


def _opened(file: str, flags: int) -> int:
    """Open a file; for a pipe, wait only a limited time for a writer.

    Raises:
        TimeoutError: there is no writer.
    """
    number = os.open(file, flags | os.O_NONBLOCK)
    os.set_blocking(number, True)
    if stat.S_ISFIFO(os.fstat(number).st_mode):
        poll = select.poll()
        poll.register(number, select.POLLIN)
        if not poll.poll(1000 * _PIPE_SECONDS):
            os.close(number)
            raise TimeoutError(errno.ETIMEDOUT, "nobody writes to this pipe", file)
    return number
