"""Scoring several candidates: threads, batches, coroutines, and trouble of others."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import Future
from dataclasses import replace

import pytest
from slicefunc.verifier import score
from slicefunc.verifier.execution.executors.embedded_executor import EmbeddedExecutor
from slicefunc.verifier.execution.executors.host.wire_format import request_of
from slicefunc.verifier.execution.executors.interface import (
    Capabilities,
    Case,
    Executor,
    Job,
    Limits,
    Outcome,
    Profile,
)
from slicefunc.verifier.observation.compare_observations import Comparison
from slicefunc.verifier.scoring.module_holes import FilledText
from slicefunc.verifier.scoring.oracle.oracle import Oracle, record
from slicefunc.verifier.scoring.score import Candidate, Scorer
from slicefunc.verifier.scoring.substitute import template
from slicefunc.verifier.scoring.verdict import Score

SCRIPT = "def f(x):\n    if x > 2:\n        raise ValueError('big')\n    return x + 1\n"
RIGHT = Candidate("right", SCRIPT)
WRONG = Candidate("wrong", "return x")
ENDLESS = Candidate("endless", "while True: pass")
WAITING = Candidate("waiting", "import time\ntime.sleep(1e6)")
LEAVING = Candidate("leaving", "import os\nos._exit(3)")


@pytest.fixture(scope="module")
def oracle(executor: Executor) -> Oracle:
    cases = [Case(f"c{x}", f"def c{x}():\n    return f({x})\n") for x in (1, 2, 3)]
    found, rejected = record(executor.run, Oracle(SCRIPT, "pack/mod.py", "f", ()), cases)
    assert not rejected
    return found


def test_verdicts_come_in_the_order_of_the_candidates(oracle: Oracle) -> None:
    found = score(oracle, [RIGHT, WRONG, LEAVING, RIGHT], jobs=2)
    assert [each.candidate for each in found] == ["right", "wrong", "leaving", "right"]
    assert [each.verdict for each in found] == ["passed", "failed", "error", "passed"]


def test_endless_candidate_costs_nobody_else_anything(oracle: Oracle) -> None:
    limits = Limits(wall_seconds=4)
    one = replace(oracle, recorded=oracle.recorded[:1])
    with Scorer(one, jobs=2, limits=limits, make=EmbeddedExecutor) as scorer:
        slow = scorer.submit(WAITING)
        assert [scorer.score(RIGHT).verdict for _ in range(3)] == ["passed"] * 3
        assert not slow.done()
        assert slow.result().verdict == "timeout"
        assert scorer.score(RIGHT).verdict == "passed"


def test_coroutines_wait_for_verdicts(oracle: Oracle) -> None:
    async def both() -> list[str]:
        with Scorer(oracle, jobs=2, make=EmbeddedExecutor) as scorer:
            found = await asyncio.gather(scorer.ascore(RIGHT), scorer.ascore(WRONG))
        return [each.verdict for each in found]

    assert asyncio.run(both()) == ["passed", "failed"]


def test_strict_comparison_sees_messages(oracle: Oracle) -> None:
    other = Candidate("other", SCRIPT.replace("'big'", "'large'"))
    for mode, verdict in (("outcome", "passed"), ("strict", "failed")):
        comparison = Comparison(mode=mode)  # type: ignore[arg-type]
        with Scorer(oracle, comparison=comparison, make=EmbeddedExecutor) as scorer:
            assert scorer.score(other).verdict == verdict


def test_what_is_sent_holds_neither_the_original_nor_what_is_expected(oracle: Oracle) -> None:
    filled = template(oracle.script, oracle.path, oracle.qualname).filled(WRONG.text)
    assert isinstance(filled, FilledText)
    cases = [each.case for each in oracle.recorded]
    request = request_of(oracle.job(filled.text, cases, Limits())).decode()
    assert "return x" in request
    assert "big" not in request
    assert "outcome" not in request
    assert "observation" not in request


class _Lost:
    """A sandbox that always fails, which no real one does on demand."""

    def start(self, profile: Profile) -> None:
        pass

    def run(self, job: Job) -> Outcome:
        return Outcome("infrastructure", detail="gone")

    def close(self) -> None:
        pass

    def capabilities(self) -> Capabilities:
        return Capabilities("lost", (), ())


def test_sandbox_that_fails_is_no_verdict_on_the_candidate(oracle: Oracle) -> None:
    with Scorer(oracle, make=_Lost) as scorer:
        found = scorer.score(RIGHT)
    assert (found.verdict, found.reason) == ("infrastructure", "gone")


def test_interruption_does_not_wait_for_candidates(oracle: Oracle) -> None:
    limits = Limits(wall_seconds=600, cpu_seconds=600)
    running: list[Future[Score]] = []

    def interrupted() -> None:
        with Scorer(oracle, jobs=2, limits=limits, make=EmbeddedExecutor) as scorer:
            running.extend(scorer.submit(ENDLESS) for _ in range(3))
            assert scorer.score(Candidate("empty", "")).verdict == "error"
            raise KeyboardInterrupt

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert time.monotonic() - start < 500
    ended = [each for each in running if not each.cancelled()]
    assert {each.result().verdict for each in ended} == {"infrastructure"}


class _Broken(_Lost):
    def run(self, job: Job) -> Outcome:
        raise OSError("no more descriptors")


def test_no_verdict_costs_no_other_candidate_its_own(oracle: Oracle) -> None:
    with Scorer(oracle, make=_Broken) as scorer:
        found = list(scorer.score_all([RIGHT, Candidate("empty", "")]))
    assert [each.verdict for each in found] == ["infrastructure", "error"]
    assert "no more descriptors" in found[0].reason
