"""Shrinking: make each kept case as simple as possible while it still does what it is kept for.

Many edits are tried at once. Then all harmless ones are made together, or halves and quarters of
them: these are the subsets of delta debugging (Zeller and Hildebrandt, "Simplifying and isolating
failure-inducing input", TSE 2002). The edits know what is simpler, like the passes of Hypothesis'
shrinker (MacIver and Donaldson, "Test-case reduction via test-case generation", ECOOP 2020). All
cases are shrunk side by side, since each run has to load the script.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ..corpus.trial_result import TrialResult
from ..drafts.drafts import Draft
from .simpler_drafts import Edit, edited

_ROUNDS = 2
_LEAST = 8
"""Characters that a round must be able to save. Each round loads the script up to three times."""
_MOST_EDITS = 24
"""Edits of one case that are tried in one round."""
_MOST_TOGETHER = 8
_LEAST_ON_MUTANTS, _MOST_ON_MUTANTS = 2, 5
"""Least and largest number of drafts of one case that run against the mutants in one round."""
_MOST_PAIRS = 600
"""Pairs of drafts and mutants in one round, beyond the least number."""
_FEW_MUTANTS = 12
"""Mutants above which shrinking stops after one round, since each takes a process of its own."""


@dataclass(frozen=True, slots=True)
class KeepGoal:
    """A case, and the behaviour that it must keep."""

    explored: TrialResult
    places: frozenset[Hashable]
    """Lines and branches that it must reach."""
    mutants: frozenset[str]
    """Mutants that it must kill."""


class Checks(Protocol):
    """The questions about drafts that shrinking asks."""

    def edits(self, draft: Draft) -> Sequence[Edit]:
        """Return the possible simplifications; each makes the draft shorter."""
        ...

    def trial_results(self, drafts: Sequence[Draft]) -> Sequence[TrialResult | None]:
        """Return the result of each draft, or `None` where it shows nothing."""
        ...

    def places(self, trial: TrialResult) -> frozenset[Hashable]:
        """Return the lines and branches that a result reaches."""
        ...

    def killed(
        self, trials: Sequence[TrialResult], mutants: Collection[str]
    ) -> Sequence[Collection[str]]:
        """Return which of the given mutants each result kills."""
        ...


def keep_goals(
    kept: Sequence[TrialResult],
    places: Callable[[TrialResult], frozenset[Hashable]],
    killed: Callable[[TrialResult], Collection[str]],
) -> list[KeepGoal]:
    """Return what each case is kept for. Where several do the same, the simplest is responsible."""
    seen: set[Hashable] = set()
    killed_before: set[str] = set()
    found: dict[int, KeepGoal] = {}
    for at in sorted(range(len(kept)), key=lambda i: (kept[i].cost, i)):
        here, kills = places(kept[at]), frozenset(killed(kept[at]))
        found[at] = KeepGoal(kept[at], here - seen, kills - killed_before)
        seen |= here
        killed_before |= kills
    return [found[at] for at in range(len(kept))]


def shrunk(
    cases: Sequence[KeepGoal], checks: Checks, affordable: float = math.inf
) -> list[TrialResult]:
    """Return each case in its simplest form found: never longer, and with no worse an ending.

    Whether it does the same once more is checked where it is recorded.

    Args:
        cases: the cases to shrink.
        checks: answers questions about drafts.
        affordable: pairs of drafts and mutants in one round; where that is too few for two drafts
            of each case, those that have to kill something stay as they are.
    """
    states = [_State(case) for case in cases]
    for _ in range(_ROUNDS):
        edits = [state.next_edits(checks) for state in states]
        if sum(_gain(s.now.draft, own) for s, own in zip(states, edits, strict=True)) < _LEAST:
            break
        singles = [
            [edited(s.now.draft, (e,)) for e in own] for s, own in zip(states, edits, strict=True)
        ]
        harmless = _sound(states, singles, checks)
        sets: list[list[Draft]] = []
        for state, own, drafts, sound in zip(states, edits, singles, harmless, strict=True):
            good = [edit for edit, draft in zip(own, drafts, strict=True) if draft in sound]
            made = (edited(state.now.draft, each) for each in _subsets(good))
            sets.append([d for d in dict.fromkeys(made) if d not in sound])
        together = _sound(states, sets, checks)
        for state, one, more in zip(states, harmless, together, strict=True):
            state.candidates = sorted((one | more).values(), key=lambda e: e.cost)
        if _settle(states, checks, affordable) > _FEW_MUTANTS:
            break
    return [state.now for state in states]


def _gain(draft: Draft, edits: Sequence[Edit]) -> int:
    """Return how many characters the edits save if all of them are made."""
    return draft.size - edited(draft, edits).size if edits else 0


@dataclass(slots=True)
class _State:
    """The progress of one case."""

    case: KeepGoal
    now: TrialResult = field(init=False)
    is_done: bool = False
    known: set[Draft] = field(default_factory=set[Draft])
    """Drafts that were refused."""
    candidates: list[TrialResult] = field(default_factory=list[TrialResult])

    def __post_init__(self) -> None:
        self.now = self.case.explored

    def next_edits(self, checks: Checks) -> list[Edit]:
        if self.is_done:
            return []
        found = [e for e in checks.edits(self.now.draft) if not self._is_known(e)]
        self.is_done = not found
        return found[:_MOST_EDITS]

    def _is_known(self, edit: Edit) -> bool:
        return edited(self.now.draft, (edit,)) in self.known

    def is_sound(self, trial: TrialResult, checks: Checks) -> bool:
        """Whether a result is simpler, ends as well, and reaches what the case must reach."""
        return trial.cost < self.now.cost and self.case.places <= checks.places(trial)


def _sound(
    states: Sequence[_State], drafts: Sequence[Sequence[Draft]], checks: Checks
) -> list[dict[Draft, TrialResult]]:
    """Return for each case the drafts that suffice, as far as one run tells."""
    every = [(at, draft) for at, own in enumerate(drafts) for draft in own]
    found: list[dict[Draft, TrialResult]] = [{} for _ in states]
    tried = checks.trial_results([draft for _, draft in every]) if every else ()
    for (at, draft), seen in zip(every, tried, strict=True):
        if seen is not None and states[at].is_sound(seen, checks):
            found[at][draft] = seen
        else:
            states[at].known.add(draft)
    return found


def _subsets(edits: Sequence[Edit]) -> Iterator[Sequence[Edit]]:
    """Yield all edits, then parts of them, the larger ones first."""
    count = 1
    made = 0
    while count <= len(edits) and made < _MOST_TOGETHER:
        for part in range(count):
            yield edits[part * len(edits) // count : (part + 1) * len(edits) // count]
        made += count
        count *= 2


def _settle(states: Sequence[_State], checks: Checks, affordable: float) -> int:
    """Replace each case by its simplest candidate that kills its mutants. Return the mutants
    run.
    """
    checked: list[tuple[_State, TrialResult]] = []
    busy = [state for state in states if state.candidates]
    mutants = {name for state in busy for name in state.case.mutants}
    pairs = max(1, len(mutants) * len(busy))
    each = max(_LEAST_ON_MUTANTS, min(_MOST_PAIRS // pairs, _MOST_ON_MUTANTS))
    each = each if each * pairs <= affordable else _LEAST_ON_MUTANTS
    is_affordable = each * pairs <= affordable
    for state in busy:
        if state.case.mutants:
            few = _spread(state.candidates, each) if is_affordable else []
            checked += ((state, one) for one in few)
        else:
            state.now = state.candidates[0]
    if not checked:
        return 0
    killed = checks.killed([each for _, each in checked], mutants)
    for (state, each), found in zip(checked, killed, strict=True):
        if not state.case.mutants <= set(found):
            state.known.add(each.draft)
        elif each.cost < state.now.cost:
            state.now = each
    return len(mutants)


def _spread(candidates: Sequence[TrialResult], limit: int) -> list[TrialResult]:
    """Return the simplest candidate, and others at growing distances from it."""
    if len(candidates) <= limit:
        return list(candidates)
    last = len(candidates) - 1
    return [candidates[at * last // (limit - 1)] for at in range(limit)]
