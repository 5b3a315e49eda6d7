"""Nobody who looks for the original or for the answers finds them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from slicefunc.verifier.execution.executors.embedded_executor import EmbeddedExecutor
from slicefunc.verifier.execution.executors.interface import Case, Executor, Limits
from slicefunc.verifier.scoring.oracle.oracle import Oracle, record
from slicefunc.verifier.scoring.score import Candidate, Scorer

from tests.nightly import one_in
from tests.verifier.scoring.cheats import CASES, INDEPENDENT, PATH, TARGET
from tests.verifier.scoring.thieves import THIEVES


@pytest.fixture(scope="module")
def scorer(executor: Executor) -> Iterator[Scorer]:
    cases = [Case(f"case_{i}", f"def case_{i}():\n    {body}\n") for i, body in enumerate(CASES)]
    oracle, rejected = record(executor.run, Oracle(INDEPENDENT, PATH, TARGET, ()), cases)
    assert not rejected
    limits = Limits(wall_seconds=30, cpu_seconds=10)
    with Scorer(oracle, limits=limits, make=EmbeddedExecutor) as scorer:
        yield scorer


def test_original_passes(scorer: Scorer) -> None:
    assert scorer.score(Candidate("original", INDEPENDENT)).verdict == "passed"


@pytest.mark.parametrize("name", one_in(3, THIEVES))
def test_thief_does_not_pass(scorer: Scorer, name: str) -> None:
    found = scorer.score(Candidate(name, THIEVES[name]))
    assert found.verdict not in ("passed", "infrastructure"), found.reason
    assert "SyntaxError" not in found.reason
