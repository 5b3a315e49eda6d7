"""The scorer of an environment: its locked interpreter, its sandbox, what it compares."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ...slicer.errors import SourceError, expect
from ...verifier.execution.executors.choose_executor import choose
from ...verifier.execution.executors.interface import Limits, Profile
from ...verifier.observation.compare_observations import Comparison, Mode
from ...verifier.scoring.leaks.file_masks import masked
from ...verifier.scoring.score import Scorer
from ..record.environment_files import Environment, read_environment
from .preloaded_modules import with_preload
from .scoring_interpreter import profile_of


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


def open_scorer(folder: str | Path, options: ScoreOptions | None = None) -> Scorer:
    """Return a scorer like that of `slice-func score`; close it, or use it in a `with`.

    Raises:
        SliceFuncError: no environment, no sandbox, or requirements that cannot be installed again.
    """
    expect(folder, (str, Path), "the environment", "name the folder that --env has written")
    expect(options, (ScoreOptions, type(None)), "the options", "write ScoreOptions(...)")
    return scorer_of(
        folder, read_environment(folder), options or ScoreOptions(), lambda _line: None
    )


def scorer_of(
    folder: str | Path,
    environment: Environment,
    options: ScoreOptions,
    report: Callable[[str], None],
) -> Scorer:
    """Return a scorer with the environment's locked interpreter and its comparison."""
    # the expected observations are in the folder
    profile = scoring_profile(environment, Path(folder))
    if not environment.is_accepted:
        report(
            f"warning: {folder} is not accepted, and its verdicts say little: {environment.why_not}"
        )
    choice = choose(profile, wanted=options.executor, keeps=True)
    for line in choice.lines():
        report(line)
    return Scorer(
        environment.oracle,
        jobs=options.jobs,
        comparison=comparison_of(environment, options),
        limits=limits_of(options),
        make=choice.make,
        profile=profile,
        tells_hidden=options.hidden_counts,
    )


def scoring_profile(environment: Environment, folder: Path | None) -> Profile:
    """Return the profile under which candidates run: the lock's interpreter, installed by now.

    Args:
        environment: what is scored.
        folder: a folder that holds expected observations, and that candidates must not read, if
            there is one.

    Raises:
        SliceFuncError: its requirements cannot be installed, or its script needs another Python.
    """
    _check_python(folder or environment.record["id"], environment)
    profile = profile_of(environment.lock) if environment.lock else Profile()
    profile = with_preload(profile, environment.preload)
    profile = masked(profile, environment.oracle.masked)
    return replace(profile, hidden=(*profile.hidden, folder)) if folder else profile


def comparison_of(environment: Environment, options: ScoreOptions) -> Comparison:
    """Return what must agree."""
    return Comparison(mode=options.compare or environment.compares)


def limits_of(options: ScoreOptions) -> Limits:
    """Return the limits of one run."""
    if options.seconds is None:
        return Limits()
    return Limits(wall_seconds=options.seconds, cpu_seconds=options.seconds)


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
