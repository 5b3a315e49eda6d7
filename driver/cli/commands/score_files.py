"""Verdicts of an environment on candidate files, standard input and pipes."""

from __future__ import annotations

import errno
import os
import select
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ....verifier.scoring.candidates.candidate_text import MAX_CHARACTERS
from ....verifier.scoring.score import Candidate
from ....verifier.scoring.verdict import Score
from ...places.environment_scorer import ScoreOptions, scorer_of
from ...record.environment_files import read_environment

FAILED = 1
SANDBOX_FAILED = 4
_MOST_BYTES = 4 * (MAX_CHARACTERS + 2)
"""Maximum size of a candidate file; larger ones are too long."""
_PIPE_SECONDS = 10.0
"""Time limit until a writer opens a named pipe."""


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
    with scorer_of(folder, environment, options, report) as scorer:
        yield from scorer.score_all(map(_candidate, files))


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
