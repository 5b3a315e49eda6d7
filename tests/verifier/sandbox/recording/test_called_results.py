"""A function that the target gives is called in the same case, and observed with it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from slicefunc.verifier.execution.batched_trials import Trial
from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.execution.executors.interface import Case, Profile
from slicefunc.verifier.output.case_calls import split_case

if TYPE_CHECKING:
    from collections.abc import Iterator

SCRIPT = """\
def repeat(times):
    def around(function):
        async def later(text):
            return function(text) * times
        def inner(text):
            if text == "later":
                return later(text)
            return function(text) * times
        return inner
    return around
"""


@pytest.fixture(scope="module")
def trial() -> Iterator[Trial]:
    executor = choose().make()
    executor.start(Profile())
    yield Trial(executor.run, SCRIPT, "repeat", (1, 10))
    executor.close()


def observation(trial: Trial, call: str) -> str:
    """Of one case with one call."""
    (tried,) = trial.cases([Case("case_a", f"def case_a():\n    return {call}\n")]).tried
    return tried.observation


@pytest.mark.parametrize("call", ["repeat(2)(str)('ab')", "[repeat(2)(str)('ab')]"])
def test_what_the_result_gives_is_the_value(trial: Trial, call: str) -> None:
    assert observation(trial, call).startswith('{"outcome":"returned","value":"abab"')


def test_what_it_raises_is_raised(trial: Trial) -> None:
    assert '"outcome":"raised"' in observation(trial, "repeat(2)(len)(3)")


def test_what_it_gives_is_awaited(trial: Trial) -> None:
    found = observation(trial, "repeat(2)(str)('later')")
    assert '"awaited":true' in found
    assert '"value":"laterlater"' in found


def test_lines_of_the_result_count(trial: Trial) -> None:
    code = "def case_a():\n    return repeat(2)(str)('ab')\n"
    (tried,) = trial.cases([Case("case_a", code)]).tried
    assert (8, -5) in tried.arcs


def test_scripts_call_the_result_of_either_version() -> None:
    code = "def case_a():\n    f = [str]\n    return repeat(2)(f[0])('ab')\n"
    taken = split_case(Case("case_a", code), "repeat")
    assert taken is not None
    assert ast.unparse(taken.named("repeat_new")) == "repeat_new(2)(argument_1)('ab')"
    assert ast.unparse(taken.target) == "repeat(2)"
