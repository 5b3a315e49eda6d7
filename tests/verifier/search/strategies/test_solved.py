"""Arguments that CrossHair finds: for conditions that nobody guesses."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.driver.cli.grammar import parse_slice
from slicefunc.driver.cli.parser import UsageError
from slicefunc.driver.pipeline.case_synthesis import search_cases
from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.slicer import Repository
from slicefunc.verifier.execution.batched_trials import Trial
from slicefunc.verifier.execution.executors.interface import Outcome, Profile
from slicefunc.verifier.execution.executors.plain_executor import PlainExecutor
from slicefunc.verifier.inputs.argument_pools import Inputs, Pool
from slicefunc.verifier.search.corpus.draft_sources import DraftSources
from slicefunc.verifier.search.corpus.search_result import Synthesis
from slicefunc.verifier.search.drafts.drafts import Draft, case_of
from slicefunc.verifier.search.exploration import Budget
from slicefunc.verifier.search.strategies.crosshair import is_absent, job_of, solved, symbolic

POOLS = (
    Pool("a", "position", ("1", "1.5")),
    Pool("b", "keyword", ("make()",)),
    Pool("c", "keyword", ("None", "[('x', 2)]"), is_optional=True),
    Pool("d", "keyword", ("[1, 'x']",), is_optional=True),
    Pool("rest", "rest", ("[]",), is_optional=True),
)
INPUTS = Inputs("f", "function", pools=POOLS)
DRAFT = Draft(arguments=(("a", "2"), ("b", "make()")))


def test_plain_data_become_parameters_and_the_rest_stays() -> None:
    (found,) = symbolic(INPUTS, [DRAFT, DRAFT])
    assert dict(found.types) == {"a": "float", "c": "list[tuple[str, int]]"}
    trial = Trial(lambda _job: Outcome("exited"), "", "f", (1, 2))
    (case,) = job_of(trial, INPUTS, [found]).cases
    assert case.code == (
        "def path_0(solved_0: float, solved_1: list[tuple[str, int]]):\n"
        "    return f(solved_0, b=make(), c=solved_1)\n"
    )


def test_what_comes_back_takes_their_places() -> None:
    found = symbolic(INPUTS, [DRAFT])
    records = (
        '{"kind":"path","case":0,"arguments":{"solved_0":"7.5","solved_1":"[(\'\', 3)]"}}',
        '{"kind":"path","case":0,"arguments":{"solved_0":"no expression"}}',
        '{"kind":"path","case":9,"arguments":{}}',
        "nothing of ours",
    )
    first, second = solved(Outcome("exited", records=records), found)
    assert case_of(INPUTS, first, "g").code.endswith("f(7.5, b=make(), c=[('', 3)])\n")
    assert dict(second.arguments)["a"] == "2"


def test_where_nothing_is_plain_nothing_is_solved() -> None:
    assert symbolic(Inputs("f", "function", pools=POOLS[1:2]), [Draft()]) == ()


def test_the_switch_needs_a_search() -> None:
    assert parse_slice(["r", "p::f", "--test", "--verify", "--search", "crosshair"]).search
    with pytest.raises(UsageError, match="--search is for"):
        parse_slice(["r", "p::f", "--search", "crosshair"])


FARE = """
def fare(age: int, name: str, rate: float):
    if age < 18 and len(name) > 12:
        return "minor"
    if rate * 3 + 1 == 26.5:
        return "rate"
    if (age * 7) % 31 == 5 and age > 100:
        return "mod"
    if age * age - 7 * age == 1794 and age > 0:
        return "root"
    return "other"
"""


def _searched(folder: Path, *, with_solver: bool) -> Synthesis:
    (folder / "code.py").write_text(FARE)
    repository = Repository(folder)
    sliced = compile_slice(repository, ("code.py::fare",))
    executor = PlainExecutor()
    executor.start(Profile())

    def solve(trial: Trial, inputs: Inputs, drafts: list[Draft]) -> tuple[Draft, ...]:
        found = symbolic(inputs, drafts)
        outcome = executor.run(job_of(trial, inputs, found))
        assert not is_absent(outcome)
        return solved(outcome, found)

    further = DraftSources(solved=solve) if with_solver else DraftSources()
    try:
        return search_cases(repository, sliced, executor.run, Budget(drafts=200), further)
    finally:
        executor.close()


@pytest.mark.nightly
def test_crosshair_takes_the_branches_that_the_search_does_not(tmp_path: Path) -> None:
    pytest.importorskip("crosshair")  # of the extra `crosshair`
    without = _searched(tmp_path, with_solver=False)
    found = _searched(tmp_path, with_solver=True)
    assert without.coverage is not None
    assert found.coverage is not None
    assert without.coverage.share < 1.0
    assert found.coverage.share == 1.0
