"""Small environments that tests make up, recorded in the sandbox."""

from __future__ import annotations

from collections.abc import Sequence

from slicefunc.driver.record.environment_files import Environment, environment_of
from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.execution.executors.interface import Case, Profile
from slicefunc.verifier.scoring.oracle.oracle import Oracle, record


def small_environment(script: str, name: str, calls: Sequence[str]) -> Environment:
    """An environment of one function in `one.py`, with calls as its shown cases."""
    executor = choose().make()
    executor.start(Profile())
    cases = [Case(f"case_{n}", f"def case_{n}():\n    return {c}\n") for n, c in enumerate(calls)]
    try:
        oracle, rejected = record(executor.run, Oracle(script, "one.py", name, ()), cases)
    finally:
        executor.close()
    assert not rejected
    rates = ("branch_coverage", "kill_rate", "unseen_kill_rate")
    about = {
        "accepted": True, "compares": "outcome", "repo": "shop", "reasons": [], "commit": None,
        "licence": None, "layout": "flat", "requirements": [], "mocks": [], "tool_version": "0",
        "metrics": dict.fromkeys(rates, 1.0),
        "prompt": {"signature": "", "docstring": None, "context": ""},
    }  # fmt: skip
    return environment_of(oracle, about)


GRADE = """\
def grade(points, limit=50):
    if points < 0:
        raise ValueError("negative")
    return "pass" if points >= limit else "fail"
"""
GRADE_CALLS = ("grade(60)", "grade(40)", "grade(5, limit=4)", "grade(-1)")
RIGHT_GRADE = """\
def grade(points, limit=50):
    if not points >= 0:
        raise ValueError("no points below zero")
    if points < limit:
        return "fail"
    return "pass"
"""
LEARNED_GRADE = """\
def grade(points, limit=50):
    if points < 0:
        raise ValueError
    return {60: "pass", 40: "fail", 5: "pass"}.get(points, "fail")
"""
"""It passes all cases, and has learned no more than these."""
