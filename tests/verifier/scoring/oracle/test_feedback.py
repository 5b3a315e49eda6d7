"""What scores tell, to whoever writes candidates and learns from them."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from slicefunc.verifier.execution.executors.embedded_executor import EmbeddedExecutor
from slicefunc.verifier.execution.executors.interface import (
    Capabilities,
    Case,
    Executor,
    Job,
    Limits,
    Outcome,
    Profile,
)
from slicefunc.verifier.scoring.oracle.hidden_oracle import with_hidden
from slicefunc.verifier.scoring.oracle.oracle import Oracle, record
from slicefunc.verifier.scoring.score import Candidate, Scorer
from slicefunc.verifier.scoring.verdict import Score

LIMITS = Limits(wall_seconds=20, cpu_seconds=3)
SCRIPT = "def f(x, y):\n    return (x * 7 + y) % 5 > 2\n"
SHOWN, HIDDEN = [(n, n) for n in range(4)], [(n, 3) for n in range(5, 17)]


@pytest.fixture(scope="module")
def oracle(executor: Executor) -> Oracle:
    def cases(prefix: str, pairs: list[tuple[int, int]]) -> list[Case]:
        return [
            Case(f"{prefix}{n}", f"def {prefix}{n}():\n    return f({x}, {y})\n")
            for n, (x, y) in enumerate(pairs)
        ]

    bare = Oracle(SCRIPT, "a.py", "f", ())
    found, _ = record(executor.run, bare, cases("value_error_", SHOWN), LIMITS)
    found, gone = with_hidden(executor.run, found, cases("h", HIDDEN), LIMITS)
    assert not gone
    return found


def _told(score: Score) -> str:
    """All that a score says, but for how long it took."""
    return json.dumps({**score.to_json(), "seconds": 0})


def _learning(table: dict[str, str], otherwise: str) -> Candidate:
    """Answers what was learned; otherwise shows its arguments in place of a result."""
    text = f"key = repr((x, y))\nreturn {table!r}[key] if key in {table!r} else {otherwise}\n"
    return Candidate("c", text.replace("'True'", "True").replace("'False'", "False"))


def _learned(ask: Callable[[Candidate], Score]) -> dict[str, str]:
    """The answers that first differences have told, round by round."""
    table: dict[str, str] = {}
    for _ in range(len(SHOWN) + len(HIDDEN) + 2):
        difference = ask(_learning(table, "key")).first_difference
        if difference is None:
            break
        table[difference.observed.strip("'")] = difference.expected
    return table


def test_who_learns_from_differences_learns_shown_answers_alone(oracle: Oracle) -> None:
    with Scorer(oracle, make=EmbeddedExecutor) as scorer:
        table = _learned(scorer.score)
        assert {*table} == {repr(pair) for pair in SHOWN}
        # from here on no guess of a hidden answer is told from another
        guesses = [f"hash(key) % {n} == {k}" for n, k in ((1, 0), (1, 1), (2, 0), (2, 1), (3, 1))]
        each = [f"(x, y) == {pair}" for pair in HIDDEN[:4]]
        told = {_told(scorer.score(_learning(table, guess))) for guess in (*guesses, *each)}
    assert len(told) == 1
    assert json.loads(told.pop())["verdict"] == "failed"


def test_names_of_cases_are_not_told(oracle: Oracle) -> None:
    with Scorer(oracle, make=EmbeddedExecutor) as scorer:
        found = scorer.score(Candidate("c", "return x != 1 and (x * 7 + y) % 5 > 2"))
    assert found.first_difference is not None
    assert found.first_difference.case == "case_2"
    assert "value_error" not in _told(found)


def test_a_candidate_that_reads_other_cases_while_it_loads_tells_little(oracle: Oracle) -> None:
    text = (
        "import sys\nframe, found = sys._getframe(), []\nwhile frame:\n"
        "    found += [str(v) for v in frame.f_locals.values() if 'def ' in str(v)]\n"
        "    frame = frame.f_back\nraise ValueError(' '.join(found))\ndef f(x, y): pass\n"
    )
    with Scorer(oracle, make=EmbeddedExecutor) as scorer:
        found = scorer.score(Candidate("c", text))
    assert found.verdict == "error"
    assert not any(f"f({x}, {y})" in _told(found) for x, y in HIDDEN)


def test_the_reward_is_there_without_any_feedback(oracle: Oracle) -> None:
    with Scorer(oracle, make=EmbeddedExecutor) as scorer:
        right, wrong = scorer.score_all([Candidate("r", SCRIPT), Candidate("w", "return x")])
    assert right.to_json(has_feedback=False) == {
        "candidate": "r",
        "verdict": "passed",
        "reward": 1.0,
    }
    assert wrong.to_json(has_feedback=False)["reward"] == 0.0


# ends of runs


@pytest.mark.parametrize("text", ["while x == 1: pass", "x == 1 and __import__('os')._exit(1)"])
def test_cases_count_on_after_one_in_which_the_run_ends(oracle: Oracle, text: str) -> None:
    limits = Limits(wall_seconds=20, cpu_seconds=1)
    with Scorer(oracle, make=EmbeddedExecutor, limits=limits) as scorer:
        found = scorer.score(Candidate("c", f"{text}\nreturn (x * 7 + y) % 5 > 2"))
    assert found.verdict in {"timeout", "error"}
    assert found.cases_passed == len(SHOWN) - 1


class _Slow:
    """A sandbox in which time on the clock is up before anything has run, as under load."""

    def __init__(self) -> None:
        self.limits: list[float] = []

    def start(self, profile: Profile) -> None:
        pass

    def run(self, job: Job) -> Outcome:
        self.limits.append(job.limits.wall_seconds)
        return Outcome("timeout", detail="too late", is_set_up=True)

    def close(self) -> None:
        pass

    def capabilities(self) -> Capabilities:
        return Capabilities("slow", (), ())


@pytest.mark.parametrize(("load", "runs"), [(0.0, [2.0]), (1e6, [2.0, 6.0])])
def test_time_on_the_clock_of_a_busy_machine_is_given_once_more(
    oracle: Oracle, monkeypatch: pytest.MonkeyPatch, load: float, runs: list[float]
) -> None:
    monkeypatch.setattr(os, "getloadavg", lambda: (load, load, load))
    slow = _Slow()
    with Scorer(oracle, make=lambda: slow, limits=Limits(wall_seconds=2)) as scorer:
        assert scorer.score(Candidate("c", "return x")).verdict == "timeout"
    assert slow.limits == runs


def test_after_a_hang_the_other_cases_get_little_time(
    oracle: Oracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getloadavg", lambda: (1e6, 1e6, 1e6))
    start = time.monotonic()
    with Scorer(oracle, make=EmbeddedExecutor, limits=Limits(wall_seconds=2)) as scorer:
        found = scorer.score(Candidate("c", "__import__('time').sleep(99)\nreturn x"))
    assert found.verdict == "timeout"
    assert time.monotonic() - start < 2 + 3 * 2 + 2 * 2 + 5


class _Costly(_Slow):
    """A sandbox in which each run takes nearly all the time that it may take."""

    def run(self, job: Job) -> Outcome:
        self.limits.append(job.limits.cpu_seconds)
        return Outcome("exited", exit_status=0, cpu_seconds=4, is_set_up=True)


def test_all_runs_of_a_candidate_together_end(oracle: Oracle) -> None:
    costly = _Costly()
    apart = replace(oracle, is_isolated=True, recorded=oracle.recorded * 10)
    with Scorer(apart, make=lambda: costly, limits=Limits(cpu_seconds=5)) as scorer:
        assert scorer.score(Candidate("c", "return x")).verdict != "passed"
    assert len(costly.limits) <= 4
