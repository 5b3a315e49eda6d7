"""Selection: try drafts on the mutants, record which draft kills which, and so what it is worth."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from ...execution.batched_trials import OriginalTrial, Trial
from ...execution.executors.interface import Case, Mutant
from ...inputs.argument_pools import Inputs
from ...mutation.kill_matrix import Kills, kills, placed
from ...mutation.mutated_block import Block
from ...script.branch_coverage import Arc, BranchCoverage, branch_coverage, covered_branches
from ..corpus.search_effort import EffortBudget
from ..corpus.trial_result import TrialResult, is_stable_and_visible
from ..drafts.drafts import Draft, case_of
from ..drafts.readable import same_but_for_names
from .choose_cases import CaseValue

_SLOW_SECONDS = 15.0
"""Seconds for all drafts on all mutants together, above which calls count as slow."""


@dataclass(slots=True)
class Selection:
    """The drafts among which cases are chosen, and what is known about them."""

    trial: Trial
    inputs: Inputs
    block: Block
    may_be_case: Callable[[TrialResult], bool] = is_stable_and_visible
    """Decides whether a result may become a case."""
    pool: list[TrialResult] = field(default_factory=list[TrialResult])
    killed_by: dict[TrialResult, set[str]] = field(default_factory=dict[TrialResult, set[str]])
    not_applied: set[str] = field(default_factory=set[str])
    tried: int = 0
    """Number of drafts tried besides those of the exploration."""
    allowance: EffortBudget | None = None
    """Once this budget is spent, no further mutant is tried."""
    statements: dict[str, tuple[int, int] | None] = field(
        default_factory=dict[str, tuple[int, int] | None]
    )
    """Lines of the statement that a mutant changes, for mutants that change only one."""

    def cases(self, drafts: Iterable[Draft]) -> list[Case]:
        """Return the cases for some drafts."""
        return [case_of(self.inputs, d, f"case_{n}") for n, d in enumerate(drafts)]

    def explored(self, drafts: Sequence[Draft], trial: Trial) -> list[TrialResult]:
        """Try drafts. The result is shorter where the run did not reach all of them."""
        cases, found = self.cases(drafts), list[OriginalTrial]()
        for some in self.allowance.effort.parts(cases) if self.allowance else [cases]:
            found += trial.cases(some).tried
            self.tried += len(some)
        return [TrialResult(d, replace(t, places=())) for d, t in zip(drafts, found, strict=False)]

    def case_candidates(self, drafts: Iterable[Draft]) -> list[TrialResult]:
        """Return the new drafts that may become cases.

        Whether they are repeatable shows when mutants are tried on them.
        """
        known = {e.draft for e in self.pool}
        new = [draft for draft in dict.fromkeys(drafts) if draft not in known]
        made = self.explored(new, self.trial) if new else ()
        return [e for e in made if self.may_be_case(e)]

    def lasting(self, trials: Sequence[TrialResult]) -> list[TrialResult]:
        """Return the results that may become cases and are repeatable."""
        shown = [each for each in trials if self.may_be_case(each)]
        if not shown:
            return []
        again = self.trial.cases(self.cases(e.draft for e in shown)).tried
        return [
            e for e, tried in zip(shown, again, strict=True) if _is_same_again(e, tried.observation)
        ]

    def survivors(self, trials: Sequence[TrialResult], mutants: Sequence[Mutant]) -> list[Mutant]:
        """Record which drafts kill which mutants. Return the mutants that survive.

        Drafts that are not repeatable beside the mutants are dropped. Where calls are slow, each
        draft runs only the mutants that earlier drafts left.
        """
        alive, left = list(mutants), list(trials)
        while alive and left and not (self.allowance and self.allowance.is_spent):
            is_slow = sum(e.trial.seconds for e in left) * len(alive) > _SLOW_SECONDS
            some, left = (left[:1], left[1:]) if is_slow else (left, [])
            alive = self._left(some, alive)
        return alive

    def _left(self, trials: Sequence[TrialResult], mutants: Sequence[Mutant]) -> list[Mutant]:
        """Return the mutants that none of these results kills."""
        found = self._kills(trials, mutants)
        if not found.original:  # the run has no originals, or a case ended it
            trials = self.lasting(trials)
            found = self._kills(trials, mutants) if found.failure and trials else found
        is_repeatable = [
            self.may_be_case(e) and _is_same_again(e, found.original.get(at))
            for at, e in enumerate(trials)
        ]
        self.not_applied |= found.not_applied
        self.pool += [
            e for e, ok in zip(trials, is_repeatable, strict=True) if ok and e not in self.pool
        ]
        killed: set[str] = set()
        for name, cases in found.by_mutant.items():
            for case in cases:
                if is_repeatable[case]:
                    self.killed_by.setdefault(trials[case], set()).add(name)
                    killed.add(name)
        return [m for m in mutants if m.name not in killed and m.name not in self.not_applied]

    def _kills(self, trials: Sequence[TrialResult], mutants: Sequence[Mutant]) -> Kills:
        drafts = self.cases(e.draft for e in trials)
        return kills(self.trial, drafts, [self._placed(m, trials) for m in mutants])

    def _placed(self, mutant: Mutant, trials: Sequence[TrialResult]) -> Mutant:
        """Return the mutant restricted to the cases that run its statement."""
        lines = self.statements.get(mutant.name) or self.trial.span
        return placed(mutant, lines, (each.trial.arcs for each in trials))

    def covered_mutants(self, mutants: Sequence[Mutant]) -> list[Mutant]:
        """Return the mutants whose statement some case runs."""
        return [m for m in mutants if self._placed(m, self.pool).cases != ()]

    def places(self, trial: TrialResult) -> frozenset[Hashable]:
        """Return the lines and branches of the target that a case reaches."""
        return frozenset(covered_branches(self.block.text, *self.trial.span, trial.trial.arcs))

    def coverage(self, explored: Sequence[TrialResult] | None = None) -> BranchCoverage:
        """Return the coverage of the target by some results, or by the whole pool."""
        some = self.pool if explored is None else explored
        arcs = frozenset[Arc]().union(*(each.trial.arcs for each in some))
        return branch_coverage(self.block.text, *self.trial.span, arcs)

    def killed(self, trial: TrialResult) -> frozenset[str]:
        """Return the mutants that a case is known to kill."""
        return frozenset(self.killed_by.get(trial, ()))

    def case_value(self, trial: TrialResult) -> CaseValue:
        """Return what a case covers, and its cost to a reader."""
        reaches = frozenset[Hashable]((*self.places(trial), *self.killed(trial)))
        return CaseValue(reaches, trial.cost)


def _is_same_again(trial: TrialResult, again: str | None) -> bool:
    """Whether a second run, if there was one, showed the same."""
    return again is None or same_but_for_names(again, trial.trial.observation)
