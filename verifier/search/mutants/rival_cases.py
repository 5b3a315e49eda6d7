"""Rivals and cases: wrong rivals that pass add cases, right rivals that fail remove some.

A claim is no verdict. A rival counts as wrong where a plausible call shows a difference. It counts
as right where it agrees with the original in most cases, and differs in the others only in the
order of different calls recorded by stand-ins. Those cases judge how a function is written, so they
are removed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...execution.executors.interface import Mutant
from ...mutation.rival_definitions import rival_mutant
from ...observation.compare_observations import first_difference
from ...observation.decode_records import decode_text
from ...observation.observation import Malformed
from ..corpus.draft_sources import RivalDefinition
from ..corpus.search_result import RivalOutcome
from ..corpus.trial_result import TrialResult
from .call_order import differ_in_call_order_alone
from .draft_selection import Selection

_CALLS_EACH = 2
"""Further calls for one rival."""


@dataclass(frozen=True, slots=True)
class RivalState:
    """The calls that remain, and what is known about the rivals."""

    kept: list[TrialResult]
    hidden: list[TrialResult]
    rivalry: RivalOutcome


def discriminate_rivals(
    selection: Selection,
    contenders: Sequence[RivalDefinition],
    kept: Sequence[TrialResult],
    hidden: Sequence[TrialResult],
    others: Sequence[TrialResult],
) -> RivalState:
    """Return the calls with killers of wrong rivals added, and without those that only fail right
    ones.

    Args:
        selection: where calls are tried.
        contenders: the rivals.
        kept: calls that are shown to people.
        hidden: calls for the verdict alone, the most important first.
        others: further calls that may be cases.
    """
    made = [
        (each, mutant)
        for number, each in enumerate(contenders)
        if (mutant := rival_mutant(selection.block, each.rival, f"rival {number}")) is not None
    ]
    right = [mutant for each, mutant in made if each.rival.is_right]
    wrong = {mutant.name: each for each, mutant in made if not each.rival.is_right}
    judging = [*kept, *hidden]
    alive = selection.survivors(judging, [m for _, m in made if m.name in wrong])
    proposed = selection.case_candidates(d for m in alive for d in wrong[m.name].drafts)
    left = selection.survivors([*proposed, *others], alive)
    found = [mutant for mutant in alive if mutant not in left]
    added = list(dict.fromkeys(_telling(selection, found)))
    confirmed, order_only = _confirmed(selection, right, judging)
    applied = len(wrong.keys() - selection.not_applied)
    rivalry = RivalOutcome(
        wrong=applied,
        told=applied - len(alive),
        found=len(found),
        unproved=len(left),
        right=len(right),
        confirmed=confirmed,
        removed=len(order_only),
        unusable=len(contenders) - len(right) - applied,
    )
    return RivalState(
        [each for each in kept if each not in order_only],
        [*added, *(each for each in hidden if each not in order_only)],
        rivalry,
    )


def _telling(selection: Selection, mutants: Sequence[Mutant]) -> Iterator[TrialResult]:
    """Yield the simplest calls that kill each mutant."""
    by_cost = sorted(selection.pool, key=lambda e: (e.cost, repr(e.draft)))
    for mutant in mutants:
        killers = [each for each in by_cost if mutant.name in selection.killed(each)]
        yield from killers[:_CALLS_EACH]


def _confirmed(
    selection: Selection, mutants: Sequence[Mutant], trials: Sequence[TrialResult]
) -> tuple[int, set[TrialResult]]:
    """Return how many rivals are right, and the calls that fail them by order alone."""
    confirmed, order_only = 0, set[TrialResult]()
    for mutant in mutants:
        found = _only_of_order(selection, mutant, trials)
        if found is not None and 2 * len(found) < len(trials):
            confirmed += 1
            order_only.update(found)
    is_all = 2 * len(order_only) >= len(trials)  # in that case the target is about the order
    return confirmed, set() if is_all else order_only


def _only_of_order(
    selection: Selection, mutant: Mutant, trials: Sequence[TrialResult]
) -> list[TrialResult] | None:
    """Return the calls in which a rival differs; `None` if any differs in more than the order."""
    cases = selection.cases(each.draft for each in trials)
    runs = selection.trial.mutants(cases, [replace(mutant, cases=None)]).mutants
    if len(runs) != 2 or runs[1].end != "ended":
        return None
    expected = dict(runs[0].differs)
    found: list[TrialResult] = []
    for case, text in runs[1].differs:
        old, new = decode_text(expected.get(case, "")), decode_text(text)
        if isinstance(old, Malformed) or isinstance(new, Malformed):
            return None
        if first_difference(old, new) is None:
            continue
        if not differ_in_call_order_alone(old, new):
            return None
        found.append(trials[case])
    return found
