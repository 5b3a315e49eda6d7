"""What is recorded of the original, and which cases are left out."""

from __future__ import annotations

import pytest
from slicefunc.verifier.execution.executors.embedded_executor import EmbeddedExecutor
from slicefunc.verifier.execution.executors.interface import Case, Executor, Job, Limits, Profile
from slicefunc.verifier.scoring.oracle.oracle import NoCasesError, Oracle, Rejection, Runs, record
from slicefunc.verifier.scoring.oracle.oracle_recording import STILL, record_stable
from slicefunc.verifier.scoring.oracle.stability import stable, under_seeds
from slicefunc.verifier.scoring.score import Candidate, Scorer

LIMITS = Limits(wall_seconds=60, cpu_seconds=1)


def recorded(executor: Executor, script: str, *calls: str) -> tuple[Oracle, tuple[Rejection, ...]]:
    """The oracle of a function `f`."""
    cases = [Case(f"c{i}", f"def c{i}():\n    return {call}\n") for i, call in enumerate(calls)]
    return record(executor.run, Oracle(script, "a.py", "f", ()), cases, LIMITS)


def test_cases_stay_in_their_order(executor: Executor) -> None:
    oracle, rejected = recorded(executor, "def f(x): return x * 2\n", "f(1)", "f('a')", "f(None)")
    assert [each.case.name for each in oracle.recorded] == ["c0", "c1", "c2"]
    assert '"value":"aa"' in oracle.recorded[1].observation
    assert '"type":"TypeError"' in oracle.recorded[2].observation
    assert (rejected, oracle.is_isolated) == ((), False)


@pytest.mark.parametrize(
    ("script", "call", "code"),
    [
        ("import random\ndef f(): return random.SystemRandom().random()\n", "f()", "unstable"),
        ("import os\ndef f(): os._exit(0)\n", "f()", "case_fails"),
        ("def f():\n    while True: pass\n", "f()", "case_fails"),
        ("def f(): return 1\n", "f() + f()", "case_invalid"),
        ("def f(): return 1\n", "1", "case_invalid"),
        ("import threading\ndef f(): return threading.Lock()\n", "f()", "shows_nothing"),
    ],
)
def test_case_that_cannot_be_used_is_left_out(
    executor: Executor, script: str, call: str, code: str
) -> None:
    oracle, rejected = recorded(executor, script, call)
    assert [each.code for each in rejected] == [code]
    assert rejected[0].case == "c0"
    assert oracle.recorded == ()


def test_others_stay_when_one_ends_the_process(executor: Executor) -> None:
    script = "import os\ndef f(x): return x or os._exit(0)\n"
    oracle, rejected = recorded(executor, script, "f(1)", "f(0)", "f(2)")
    assert [each.case.name for each in oracle.recorded] == ["c0", "c2"]
    assert [each.case for each in rejected] == ["c1"]


def test_why_a_case_does_not_end_is_told(executor: Executor) -> None:
    _, rejected = recorded(executor, "import os\ndef f(): os._exit(3)\n", "f()")
    assert "exit status 3" in rejected[0].detail


def test_where_two_runs_differ_is_told(executor: Executor) -> None:
    script = "import time\ndef f(): return [1, time.time_ns()]\n"
    _, rejected = recorded(executor, script, "f()")
    assert "differently: value[1]: " in rejected[0].detail


def test_case_that_cannot_be_made_is_told(executor: Executor) -> None:
    case = Case("c", "from nowhere import thing\ndef c(): return f(thing)\n")
    other = Case("d", "def d(): return f(1)\n")
    bare = Oracle("def f(x): return x\n", "a.py", "f", ())
    oracle, rejected = record(executor.run, bare, [case, other], LIMITS)
    assert [each.case.name for each in oracle.recorded] == ["d"]
    assert [(each.case, each.code) for each in rejected] == [("c", "case_invalid")]
    assert "No module named 'nowhere'" in rejected[0].detail


YEAR = "import datetime, time\ndef f(x): return x and datetime.date.today().year\n"


def test_case_whose_result_depends_on_the_day_is_recorded_while_clocks_stand(
    executor: Executor,
) -> None:
    cases = [Case(f"c{x}", f"def c{x}(): return f({x})\n") for x in (0, 1)]
    bare = Oracle(YEAR, "a.py", "f", ())
    found, rejected = record_stable(executor.run, EmbeddedExecutor, Profile(), bare, cases, LIMITS)
    assert (rejected, found.determinism) == ((), STILL)
    assert '"value":2024' in found.recorded[1].observation


def test_where_the_day_is_seen_other_seeds_are_asked_only_of_what_may_last() -> None:
    started: list[Profile] = []

    class Counted(EmbeddedExecutor):
        def start(self, profile: Profile) -> None:
            started.append(profile)
            super().start(profile)

    executor = EmbeddedExecutor()
    executor.start(Profile())
    case = Case("c", "def c(): return f(1)\n")
    bare = Oracle(YEAR, "a.py", "f", ())
    try:
        found, _ = record_stable(executor.run, Counted, Profile(), bare, [case], LIMITS)
    finally:
        executor.close()
    assert found.determinism == STILL
    assert [profile.hash_seed for profile in started] == [1, 2, 3, 4]


def test_case_that_waits_for_time_to_pass_stays(executor: Executor) -> None:
    script = (
        "import time\ndef f():\n    end = time.time() + 0.01\n"
        "    while time.time() < end: pass\n    return 'late'\n"
    )
    case = Case("c", "def c(): return f()\n")
    bare = Oracle(script, "a.py", "f", ())
    limits = Limits(wall_seconds=1)
    found, rejected = record_stable(executor.run, EmbeddedExecutor, Profile(), bare, [case], limits)
    assert (rejected, found.determinism.clock) == ((), None)
    assert [each.case.name for each in found.recorded] == ["c"]


def test_script_that_does_not_load_is_told(executor: Executor) -> None:
    _, rejected = recorded(executor, "raise KeyError('x')\ndef f(): pass\n", "f()")
    assert [(each.case, each.code) for each in rejected] == [("", "does_not_run")]
    assert "KeyError('x')" in rejected[0].detail


COUNTER = "import itertools\nSEEN = itertools.count(1)\ndef f(x):\n    return next(SEEN)\n"
PLAIN = "SEEN = []\ndef f(x):\n    SEEN.append(x)\n    return len(SEEN)\n"


def test_cases_that_influence_each_other_get_their_own_processes(executor: Executor) -> None:
    oracle, rejected = recorded(executor, COUNTER, "f(1)", "f(2)", "f(3)")
    assert rejected == ()
    assert oracle.is_isolated
    assert all('"value":1' in each.observation for each in oracle.recorded)


def test_plain_values_of_the_script_are_the_same_for_each_case(executor: Executor) -> None:
    oracle, rejected = recorded(executor, PLAIN, "f(1)", "f(2)", "f(3)")
    assert rejected == ()
    assert not oracle.is_isolated
    assert all('"value":1' in each.observation for each in oracle.recorded)


def test_each_case_is_scored_as_it_was_recorded(executor: Executor) -> None:
    oracle, _ = recorded(executor, COUNTER, "f(1)", "f(2)")
    with Scorer(oracle, make=EmbeddedExecutor) as scorer:
        right = scorer.score(Candidate("right", COUNTER))
        wrong = scorer.score(Candidate("wrong", "return next(SEEN) * x\n"))
    assert (right.verdict, right.cases_passed) == ("passed", 2)
    assert (wrong.verdict, wrong.cases_passed) == ("failed", 1)
    assert wrong.first_difference is not None
    assert wrong.first_difference.case == "case_2"


def test_case_that_depends_on_the_hash_seed_goes(executor: Executor) -> None:
    script = "def f(x): return [*map(str, {*x})]\n"
    oracle, _ = recorded(executor, script, "f(['a', 'b', 'c', 'd', 'e', 'f'])", "f(['a'])")
    assert len(oracle.recorded) == 2
    kept, rejected = stable(oracle, EmbeddedExecutor, Profile(), LIMITS, (1, 2))
    assert [each.case.name for each in kept.recorded] == ["c1"]
    assert [each.code for each in rejected] == ["unstable"]
    assert kept.stable_runs == oracle.stable_runs + 2


@pytest.mark.parametrize(
    ("body", "runs"),
    [
        ("return 1", 2 + 1 + 4),  # one after the other, on another day, under other seeds
        ("return datetime.date.today().year", 2 + 4),  # while clocks stand still
        ("while time.time() < END: pass\n    return 1", 2 + 4),  # on another day it does not end
    ],
)
def test_runs_that_agree_in_what_is_kept_are_counted(
    executor: Executor, body: str, runs: int
) -> None:
    script = f"import datetime, time\nEND = time.time() + 0.01\ndef f():\n    {body}\n"
    case = Case("c", "def c(): return f()\n")
    bare = Oracle(script, "a.py", "f", ())
    limits = Limits(wall_seconds=1)
    found, _ = record_stable(executor.run, EmbeddedExecutor, Profile(), bare, [case], limits)
    assert found.stable_runs == runs


def test_nothing_can_be_scored_without_cases() -> None:
    with pytest.raises(NoCasesError, match="no case"):
        Scorer(Oracle("def f(): pass\n", "a.py", "f", ()))


def test_the_name_of_a_case_is_not_to_be_seen(executor: Executor) -> None:
    script = (
        "import sys\n"
        "def f():\n"
        "    frame, found = sys._getframe(), []\n"
        "    while frame:\n"
        "        found.append(f'{frame.f_code.co_name} {frame.f_locals}')\n"
        "        frame = frame.f_back\n"
        "    return 'value_' 'error' in str(found)\n"
    )
    case = Case("case_value_error", "def case_value_error():\n    return f()\n")
    oracle, _ = record(executor.run, Oracle(script, "a.py", "f", ()), [case], LIMITS)
    assert oracle.recorded[0].case == case
    assert '"value":false' in oracle.recorded[0].observation


def test_seeds_come_in_order_and_those_that_are_not_asked_for_end() -> None:
    job = Job("import sys; print(hash('a') % 1000)")
    alone = []
    for seed in (5, 6, 7):
        executor = EmbeddedExecutor()
        executor.start(Profile(hash_seed=seed))
        alone.append(executor.run(job).stdout)
        executor.close()
    assert len({*alone}) == 3
    made: list[EmbeddedExecutor] = []

    def make() -> EmbeddedExecutor:
        made.append(EmbeddedExecutor())
        return made[-1]

    def printed(run: Runs) -> bytes:
        return run(job).stdout

    assert [*under_seeds(make, Profile(), printed, (5, 6, 7))] == alone
    begun = under_seeds(make, Profile(), printed, (5, 6, 7))
    assert next(begun) == alone[0]
    del begun
    assert all(each.process_id is None for each in made)
