"""Which drafts meet which mutants: all at once, or one after another where calls are slow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from slicefunc.verifier.execution.batched_trials import MutantRun, OriginalTrial, Trials
from slicefunc.verifier.execution.executors.interface import Case, Mutant, Outcome
from slicefunc.verifier.inputs.argument_pools import Inputs, Pool
from slicefunc.verifier.mutation.mutated_block import Block
from slicefunc.verifier.search.corpus.search_effort import Effort
from slicefunc.verifier.search.corpus.trial_result import TrialResult
from slicefunc.verifier.search.drafts.drafts import Draft
from slicefunc.verifier.search.mutants.draft_selection import Selection

RETURNED = (
    '{{"outcome":"returned","value":{},"arguments":[],"globals":[],"files":[],"effects":[],'
    '"stdout":"","stderr":"","shared":[]}}'
)
MUTANTS = [Mutant(name, "") for name in ("m1", "m2", "m3")]


class FakeTrial:
    """Draft `n` returns `n`, and kills the mutant of that number."""

    span = (1, 2)

    def __init__(self) -> None:
        self.runs: list[tuple[int, list[str]]] = []

    def mutants(self, cases: Sequence[Case], mutants: Sequence[Mutant]) -> Trials:
        self.runs.append((len(cases), [mutant.name for mutant in mutants]))
        values = [int(case.code.partition("given=")[2].partition(")")[0]) for case in cases]
        original = tuple((at, RETURNED.format(value)) for at, value in enumerate(values))
        runs = [
            MutantRun(
                mutant.name,
                "ended",
                tuple(
                    (at, RETURNED.format(-1))
                    for at, value in enumerate(values)
                    if mutant.name == f"m{value}"
                ),
            )
            for mutant in mutants
        ]
        return Trials((), (MutantRun("", "ended", original), *runs))


def explored(value: int, seconds: float) -> TrialResult:
    """A draft that was tried, and returned its argument."""
    draft = Draft(arguments=(("given", str(value)),))
    return TrialResult(draft, OriginalTrial(RETURNED.format(value), frozenset({(1, 2)}), seconds))


def selection(trial: Any) -> Selection:
    """Of a target with one parameter."""
    inputs = Inputs("f", "function", pools=(Pool("given", "keyword", ("1",)),))
    return Selection(trial, inputs, Block("def f(given):\n    return given\n", 1, 2))


def test_fast_drafts_meet_all_mutants_at_once() -> None:
    trial = FakeTrial()
    found = selection(trial)
    drafts = [explored(1, 0.1), explored(2, 0.1)]
    assert [m.name for m in found.survivors(drafts, MUTANTS)] == ["m3"]
    assert trial.runs == [(2, ["m1", "m2", "m3"])]
    assert found.killed(drafts[1]) == {"m2"}


def test_slow_drafts_meet_what_those_before_them_have_left() -> None:
    trial = FakeTrial()
    found = selection(trial)
    assert [m.name for m in found.survivors([explored(n, 9.0) for n in (1, 2)], MUTANTS)] == ["m3"]
    assert trial.runs == [(1, ["m1", "m2", "m3"]), (1, ["m2", "m3"])]


def test_once_its_allowance_is_spent_no_mutant_is_tried() -> None:
    trial = FakeTrial()
    found = selection(trial)
    found.allowance = Effort(lambda _job: Outcome("exited")).allow(-1.0)
    assert found.survivors([explored(1, 0.1)], MUTANTS) == MUTANTS
    assert trial.runs == []


def test_what_shows_something_else_beside_the_mutants_is_forgotten() -> None:
    trial = FakeTrial()
    found = selection(trial)
    once = TrialResult(
        explored(1, 0.1).draft, OriginalTrial(RETURNED.format(7), frozenset({(1, 2)}), 0.1)
    )
    assert found.survivors([once, explored(2, 0.1)], MUTANTS) == [MUTANTS[0], MUTANTS[2]]
    assert found.pool == [explored(2, 0.1)]
