from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.executors.choose_executor import ORDER
from slicefunc.verifier.execution.executors.interface import Case, Limits, Profile
from slicefunc.verifier.scoring.candidates.offered_names import OfferedName
from slicefunc.verifier.scoring.oracle.oracle import Oracle, record
from slicefunc.verifier.scoring.score import Candidate, Scorer

from tests.nightly import all_but
from tests.verifier.scoring.cheats import (
    CASES,
    CHEATS,
    INDEPENDENT,
    PATH,
    RIGHT,
    SCRIPT,
    TARGET,
    Cheat,
)

LIMITS = Limits(wall_seconds=30, cpu_seconds=10)  # for cheats that look through every file

OFFERED = tuple(
    OfferedName(name, f"import {name}")
    for name in ("builtins", "gc", "inspect", "json", "os", "re", "sys", "threading", "time")
)
"""As if the target's file imported them: candidates need not write these imports."""

WAYS = tuple(
    pytest.param((name, script), id=f"{name}-{way}")
    for name, _, is_sandbox in ORDER
    for way, script in (("apart", SCRIPT), ("together", INDEPENDENT))
    if is_sandbox or way == "together"
)
"""Every executor, with a target whose cases influence each other, so that each has a process of its
own, and with one whose cases share a process; the executor that is no sandbox with one of them."""
LATER = {"docker-apart", "docker-together", "plain-together"}
"""What cheats get out of scoring is the same here; of an executor, hostile scripts are tried."""


@pytest.fixture(scope="module")
def scorer(request: pytest.FixtureRequest) -> Iterator[Scorer]:
    executor_name, script = request.param
    make = next(make for name, make, _ in ORDER if name == executor_name)
    executor = make()
    try:
        executor.start(Profile())
    except SandboxError as error:
        pytest.skip(str(error))
    cases = [Case(f"case_{i}", f"def case_{i}():\n    {body}\n") for i, body in enumerate(CASES)]
    oracle, rejected = record(executor.run, Oracle(script, PATH, TARGET, ()), cases)
    executor.close()
    assert not rejected
    assert oracle.is_isolated == (script is SCRIPT)
    oracle = replace(oracle, imports=OFFERED)
    with Scorer(oracle, limits=LIMITS, make=make) as scorer:
        yield scorer


@pytest.mark.parametrize("scorer", WAYS, indirect=True, scope="module")
def test_what_does_the_same_passes(scorer: Scorer) -> None:
    is_isolated = scorer.oracle.is_isolated
    right = RIGHT if is_isolated else RIGHT.replace("    HISTORY.append(total)\n", "")
    for text in (right, scorer.oracle.script):
        found = scorer.score(Candidate("right", text))
        assert (found.verdict, found.cases_passed) == ("passed", len(CASES)), found.reason


@pytest.mark.parametrize("scorer", all_but(LATER, WAYS), indirect=True, scope="module")
@pytest.mark.parametrize("cheat", CHEATS, ids=[cheat.name for cheat in CHEATS])
def test_cheat_is_seen_through(scorer: Scorer, cheat: Cheat) -> None:
    found = scorer.score(Candidate(cheat.name, cheat.text))
    assert found.verdict in cheat.verdicts, found.reason


def test_no_cheat_left_anything() -> None:
    assert not Path("/tmp/slice-func-bomb").exists()


def test_names_are_different() -> None:
    assert len({cheat.name for cheat in CHEATS}) == len(CHEATS)
