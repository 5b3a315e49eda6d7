"""Drafts that were tried on the mutants: who kills whom, and so what each draft is worth."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from ...execution.batched_trials import OriginalTrial, Trial
from ...execution.executors.interface import Case, Mutant
from ...inputs.argument_pools import Inputs
from ...mutation.kill_matrix import Kills, kills, placed
from ...mutation.mutated_block import Block
from ...script.branch_coverage import Arc, BranchCoverage, branch_coverage, reached
from ..corpus.search_effort import EffortBudget
from ..corpus.trial_result import TrialResult, shows
from ..drafts.drafts import Draft, case_of
from ..drafts.readable import same_but_for_names
from .case_cover import CaseValue

_SLOW_SECONDS = 15.0
"""Of all drafts on all mutants together."""


@dataclass(slots=True)
class Selection:
    """The drafts among which cases are chosen, and what is known of them."""

    trial: Trial
    inputs: Inputs
    block: Block
    may_be_case: Callable[[TrialResult], bool] = shows
    """Whether something that was tried may become a case."""
    pool: list[TrialResult] = field(default_factory=list[TrialResult])
    killed_by: dict[TrialResult, set[str]] = field(default_factory=dict[TrialResult, set[str]])
    not_applied: set[str] = field(default_factory=set[str])
    tried: int = 0
    """Drafts beside those of the exploration."""
    allowance: EffortBudget | None = None
    """Once it is spent, no mutant is tried any more."""
    statements: dict[str, tuple[int, int] | None] = field(
        default_factory=dict[str, tuple[int, int] | None]
    )
    """Lines of the statement that a mutant changes; no other mutant is about one only."""

    def cases(self, drafts: Iterable[Draft]) -> list[Case]:
        """The cases that some drafts stand for."""
        return [case_of(self.inputs, d, f"case_{n}") for n, d in enumerate(drafts)]

    def explored(self, drafts: Sequence[Draft], trial: Trial) -> list[TrialResult]:
        """Try drafts; nothing is there of those that the run did not come to."""
        cases, found = self.cases(drafts), list[OriginalTrial]()
        for some in self.allowance.effort.parts(cases) if self.allowance else [cases]:
            found += trial.cases(some).tried
            self.tried += len(some)
        return [TrialResult(d, replace(t, places=())) for d, t in zip(drafts, found, strict=False)]

    def shown(self, drafts: Iterable[Draft]) -> list[TrialResult]:
        """Those of some new drafts that may become cases.

        Whether they show the same thing again is seen where mutants are tried on them.
        """
        known = {e.draft for e in self.pool}
        new = [draft for draft in dict.fromkeys(drafts) if draft not in known]
        made = self.explored(new, self.trial) if new else ()
        return [e for e in made if self.may_be_case(e)]

    def lasting(self, explored: Sequence[TrialResult]) -> list[TrialResult]:
        """Those that may become cases, and show the same thing again."""
        shown = [each for each in explored if self.may_be_case(each)]
        if not shown:
            return []
        again = self.trial.cases(self.cases(e.draft for e in shown)).tried
        return [e for e, tried in zip(shown, again, strict=True) if _is_alike(e, tried.observation)]

    def survivors(self, explored: Sequence[TrialResult], mutants: Sequence[Mutant]) -> list[Mutant]:
        """Note who kills whom; the mutants that are left.

        What does not show the same thing again beside the mutants is forgotten. Where calls are
        slow each draft meets only those that the drafts before it have left.
        """
        alive, left = list(mutants), list(explored)
        while alive and left and not (self.allowance and self.allowance.is_spent):
            is_slow = sum(e.tried.seconds for e in left) * len(alive) > _SLOW_SECONDS
            some, left = (left[:1], left[1:]) if is_slow else (left, [])
            alive = self._left(some, alive)
        return alive

    def _left(self, explored: Sequence[TrialResult], mutants: Sequence[Mutant]) -> list[Mutant]:
        """The mutants that none of these kills."""
        found = self._kills(explored, mutants)
        if not found.original:  # nobody asked for them, or one of them ended the run
            explored = self.lasting(explored)
            found = self._kills(explored, mutants) if found.failure and explored else found
        alike = [
            self.may_be_case(e) and _is_alike(e, found.original.get(at))
            for at, e in enumerate(explored)
        ]
        self.not_applied |= found.not_applied
        self.pool += [e for e, ok in zip(explored, alike, strict=True) if ok and e not in self.pool]
        killed: set[str] = set()
        for name, cases in found.by_mutant.items():
            for case in cases:
                if alike[case]:
                    self.killed_by.setdefault(explored[case], set()).add(name)
                    killed.add(name)
        return [m for m in mutants if m.name not in killed and m.name not in self.not_applied]

    def _kills(self, explored: Sequence[TrialResult], mutants: Sequence[Mutant]) -> Kills:
        drafts = self.cases(e.draft for e in explored)
        return kills(self.trial, drafts, [self._placed(m, explored) for m in mutants])

    def _placed(self, mutant: Mutant, explored: Sequence[TrialResult]) -> Mutant:
        """The mutant, to be tried where its statement runs."""
        lines = self.statements.get(mutant.name) or self.trial.span
        return placed(mutant, lines, (each.tried.arcs for each in explored))

    def met(self, mutants: Sequence[Mutant]) -> list[Mutant]:
        """Those whose statement some case runs."""
        return [m for m in mutants if self._placed(m, self.pool).cases != ()]

    def places(self, explored: TrialResult) -> frozenset[Hashable]:
        """Lines and branches that count, which a case reaches."""
        return frozenset(reached(self.block.text, *self.trial.span, explored.tried.arcs))

    def coverage(self, explored: Sequence[TrialResult] | None = None) -> BranchCoverage:
        """What some drafts reach of the target, or else all of the pool."""
        some = self.pool if explored is None else explored
        arcs = frozenset[Arc]().union(*(each.tried.arcs for each in some))
        return branch_coverage(self.block.text, *self.trial.span, arcs)

    def killed(self, explored: TrialResult) -> frozenset[str]:
        """The mutants that a case is known to kill."""
        return frozenset(self.killed_by.get(explored, ()))

    def worth(self, explored: TrialResult) -> CaseValue:
        """What a case does, and what it costs to read."""
        reaches = frozenset[Hashable]((*self.places(explored), *self.killed(explored)))
        return CaseValue(reaches, explored.cost)


def _is_alike(explored: TrialResult, again: str | None) -> bool:
    """Whether a second run, if there was one, has shown the same thing."""
    return again is None or same_but_for_names(again, explored.tried.observation)
