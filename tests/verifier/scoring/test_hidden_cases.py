"""Cases that nothing is told of: which are kept, and how they decide."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from slicefunc.verifier.execution.executors.embedded_executor import EmbeddedExecutor
from slicefunc.verifier.execution.executors.interface import (
    Case,
    Executor,
    Job,
    Limits,
    Outcome,
    Profile,
)
from slicefunc.verifier.scoring.oracle import hidden_oracle
from slicefunc.verifier.scoring.oracle.hidden_oracle import with_hidden
from slicefunc.verifier.scoring.oracle.oracle import Oracle, Rejection, record
from slicefunc.verifier.scoring.oracle.oracle_recording import STILL, record_stable
from slicefunc.verifier.scoring.score import Candidate, Scorer
from slicefunc.verifier.scoring.verdict import Score

LIMITS = Limits(wall_seconds=20, cpu_seconds=3)
SHORT = replace(LIMITS, cpu_seconds=1)
DOUBLE = "def f(x):\n    return x * 2\n"


def _cases(prefix: str, *calls: str) -> list[Case]:
    names = [f"{prefix}{n}" for n in range(len(calls))]
    return [
        Case(name, f"def {name}():\n    return {call}\n")
        for name, call in zip(names, calls, strict=True)
    ]


def _recorded(
    executor: Executor,
    script: str,
    shown: list[Case],
    hidden: list[Case],
    limits: Limits = LIMITS,
) -> tuple[Oracle, tuple[Rejection, ...]]:
    oracle, rejected = record(executor.run, Oracle(script, "a.py", "f", ()), shown, limits)
    assert not rejected
    return with_hidden(executor.run, oracle, hidden, limits)


def _names(oracle: Oracle) -> list[str]:
    return [each.case.name for each in oracle.hidden]


def test_hidden_cases_follow_the_others_in_their_order(executor: Executor) -> None:
    oracle, gone = _recorded(executor, DOUBLE, _cases("c", "f(1)"), _cases("h", "f(3)", "f(2)"))
    assert _names(oracle) == ["h0", "h1"]
    assert [each.case.name for each in oracle.every] == ["c0", "h0", "h1"]
    assert '"value":6' in oracle.hidden[0].observation
    assert gone == ()


def test_cases_that_bring_about_the_same_warning_stay(executor: Executor) -> None:
    script = "import warnings\ndef f(x):\n    warnings.warn('shown once a process')\n    return x\n"
    oracle, gone = _recorded(executor, script, _cases("c", "f(1)"), _cases("h", "f(3)", "f(2)"))
    assert _names(oracle) == ["h0", "h1"]
    assert all("shown once a process" in each.observation for each in oracle.every)
    assert gone == ()


@pytest.mark.parametrize(
    ("body", "call", "code"),
    [
        ("return random.SystemRandom().random()", "f(9)", "unstable"),
        ("return next(SEEN)", "f(9)", "unstable"),
        ("os._exit(0)", "f(9)", "case_fails"),
        ("while True: pass", "f(9)", "case_fails"),
        ("return 1", "f(1) + f(2)", "case_invalid"),
        ("return threading.Lock()", "f(9)", "shows_nothing"),
    ],
)
def test_one_that_cannot_be_used_goes_and_the_others_stay(
    executor: Executor, body: str, call: str, code: str
) -> None:
    script = (
        "import itertools, os, random, threading\nSEEN = itertools.count()\n"
        f"def f(x):\n    if x < 9: return x\n    {body}\n"
    )
    hidden = _cases("h", "f(2)", call, call.replace("9", "10"), "f(3)")
    oracle, gone = _recorded(executor, script, _cases("c", "f(1)"), hidden, SHORT)
    assert _names(oracle) == ["h0", "h3"]
    assert {(each.case, each.code, each.is_hidden) for each in gone} == {
        ("h1", code, True),
        ("h2", code, True),
    }
    assert not oracle.is_isolated


def test_the_original_runs_them_within_the_time(executor: Executor) -> None:
    script = (
        "import time\ndef f(x):\n    end = time.process_time() + x\n"
        "    while time.process_time() < end: pass\n    return x\n"
    )
    hidden = _cases("h", "f(0.4)", "f(0.2)", *["f(0.21)"] * 5, "f(0)")
    oracle, gone = _recorded(executor, script, _cases("c", "f(0)"), hidden)
    assert "h0" not in _names(oracle), "it takes too much of the time alone"
    assert {"h1", "h7"} <= {*_names(oracle)}
    assert len(oracle.hidden) <= 1 + 4 + 1
    assert {each.code for each in gone} == {"too_slow"}


def test_the_record_stays_small(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden_oracle, "RECORD_BYTES", 4000)
    script = "def f(x):\n    return 'a' * x\n"
    hidden = _cases("h", "f(2000)", *["f(700)"] * 6, "f(1)")
    oracle, gone = _recorded(executor, script, _cases("c", "f(0)"), hidden)
    assert _names(oracle) == ["h1", "h2", "h3", "h4", "h7"]
    assert {(each.case, each.code) for each in gone} == {
        ("h0", "too_large"),
        ("h5", "too_large"),
        ("h6", "too_large"),
    }


def test_no_more_are_kept_than_may_be(executor: Executor) -> None:
    hidden = _cases("h", *(f"f({n})" for n in range(hidden_oracle.MOST + 2)))
    oracle, gone = _recorded(executor, DOUBLE, _cases("c", "f(1)"), hidden)
    assert len(oracle.hidden) == hidden_oracle.MOST
    assert len(gone) == 2


def test_hidden_cases_have_processes_of_their_own_where_the_others_have(
    executor: Executor,
) -> None:
    script = "import itertools\nSEEN = itertools.count(1)\ndef f(x):\n    return next(SEEN)\n"
    oracle, gone = _recorded(executor, script, _cases("c", "f(1)", "f(2)"), _cases("h", "f(3)"))
    assert (gone, oracle.is_isolated) == ((), True)
    assert '"value":1' in oracle.hidden[0].observation
    with Scorer(oracle, make=EmbeddedExecutor) as scorer:
        found = scorer.score(Candidate("right", script))
    assert (found.verdict, found.cases_passed, found.hidden_passed) == ("passed", 2, 1)


def test_only_what_is_shown_decides_whether_clocks_stand(executor: Executor) -> None:
    script = (
        "import datetime\ndef f(x):\n"
        "    return sorted({*'abcdef'}) == x or x and [*{*'abcdef'}, datetime.date.today().year]\n"
    )
    bare = Oracle(script, "a.py", "f", ())
    shown, hidden = _cases("c", "f(0)"), _cases("h", "f(1)", "f('')")
    found, gone = record_stable(
        executor.run, EmbeddedExecutor, Profile(), bare, shown, LIMITS, hidden=hidden
    )
    assert found.determinism != STILL
    assert _names(found) == ["h1"]
    assert [(each.case, each.code, each.is_hidden) for each in gone] == [("h0", "unstable", True)]
    assert found.stable_runs == 2 + 1 + 4


# verdicts


@pytest.fixture(scope="module")
def oracle(executor: Executor) -> Oracle:
    shown, hidden = _cases("c", "f(1)", "f(2)"), _cases("h", "f(3)", "f(4)", "f('a')")
    found, _ = _recorded(executor, DOUBLE, shown, hidden)
    return found


@pytest.mark.parametrize(
    ("text", "verdict", "passed", "hidden_passed"),
    [
        ("return x + x", "passed", 2, 3),
        ("return {1: 2, 2: 4}.get(x)", "failed", 2, 0),
        ("return x if x == 1 else x * 2", "failed", 1, 3),
        ("return int(x) * 2 if x != 'a' else 0", "failed", 2, 2),
    ],
)
def test_both_sets_decide(
    oracle: Oracle, text: str, verdict: str, passed: int, hidden_passed: int
) -> None:
    with Scorer(oracle, make=EmbeddedExecutor, tells_hidden=True) as scorer:
        found = scorer.score(Candidate("c", text))
    assert (found.verdict, found.cases_passed, found.hidden_passed) == (
        verdict,
        passed,
        hidden_passed,
    )
    assert (found.cases, found.hidden) == (2, 3)


def test_nothing_is_told_of_a_hidden_case(oracle: Oracle) -> None:
    with Scorer(oracle, make=EmbeddedExecutor) as scorer:
        found = scorer.score(Candidate("c", "return {1: 2, 2: 4}.get(x, 'wrong')"))
        both = scorer.score(Candidate("c", "return {1: 2}.get(x, 'wrong')"))
    assert (found.first_difference, found.reason) == (None, "a hidden case differs")
    assert both.first_difference is not None
    assert both.first_difference.case == "case_2"
    assert found.hidden_passed is both.hidden_passed is None


class _Counting(EmbeddedExecutor):
    """Notes the jobs that it runs."""

    def __init__(self) -> None:
        super().__init__()
        self.jobs: list[Job] = []

    def run(self, job: Job) -> Outcome:
        """Run it."""
        self.jobs.append(job)
        return super().run(job)


def _scored(oracle: Oracle, text: str) -> tuple[Score, int]:
    """The score, and how many jobs it took."""
    executor = _Counting()
    with Scorer(oracle, make=lambda: executor) as scorer:
        return scorer.score(Candidate("c", text)), len(executor.jobs)


def test_who_passes_the_shown_cases_goes_on_with_the_hidden_ones(oracle: Oracle) -> None:
    found, jobs = _scored(oracle, "return x + x")
    assert (found.verdict, found.hidden_passed, jobs) == ("passed", 3, 1)
    found, jobs = _scored(oracle, "return x")
    assert (found.verdict, found.hidden_passed, jobs) == ("failed", None, 1)


def test_hidden_cases_are_not_there_before_the_shown_ones_have_passed(executor: Executor) -> None:
    found, _ = _recorded(executor, DOUBLE, _cases("c", "f(1)"), _cases("h", "f(4242)"))
    text = """
def f(x):
    import gc
    wanted = "".join(["f(", str(4242), ")"])
    held = [each for each in gc.get_objects() if type(each) in (dict, list, tuple)]
    told = any(wanted in part for each in held for part in each if type(part) is str)
    told = told or any(
        wanted in str(each.get("code")) for each in held if type(each) is dict
    )
    return None if told else 2 * x
"""
    score, _ = _scored(found, text)
    assert (score.verdict, score.cases_passed) == ("failed", 1)  # told, in the hidden case alone


def test_what_fails_after_the_shown_cases_is_tried_in_a_process_of_its_own(oracle: Oracle) -> None:
    text = """
import itertools
_calls = itertools.count()

def f(x):
    return x * 2 if next(_calls) < 4 else None
"""
    found, jobs = _scored(oracle, text)  # two cases are shown, three are hidden
    assert (found.verdict, found.hidden_passed, jobs) == ("passed", 3, 3)


@pytest.mark.parametrize(
    "text", ["return x + x", "return {1: 2, 2: 4}.get(x)", "return x", "import os; os._exit(3)"]
)
def test_the_same_candidate_gets_the_same_score_byte_for_byte(oracle: Oracle, text: str) -> None:
    with Scorer(oracle, make=EmbeddedExecutor, jobs=2, tells_hidden=True) as scorer:
        scores = list(scorer.score_all([Candidate("c", text)] * 6))
    assert len({json.dumps({**each.to_json(), "seconds": 0}) for each in scores}) == 1


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("if x > 2: raise SystemExit\nreturn x * 2", "failed"),
        ("if x == 3: __import__('os')._exit(0)\nreturn x * 2", "error"),
        ("while x == 3: pass\nreturn x * 2", "timeout"),
    ],
)
def test_how_a_hidden_case_ends_is_told_in_the_same_words_each_time(
    oracle: Oracle, text: str, verdict: str
) -> None:
    with Scorer(oracle, make=EmbeddedExecutor, limits=SHORT) as scorer:
        found = scorer.score(Candidate("c", text))
    assert (found.verdict, found.cases_passed, found.hidden_passed) == (verdict, 2, None)
    assert found.reason.endswith(("a hidden case differs", "the hidden cases"))
