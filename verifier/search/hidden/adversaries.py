"""Choose hidden cases by which wrong versions of the target they tell apart.

A mutant that some call kills stands for similar changes that are not tried. So a few calls should
kill it that reach it on different paths.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...execution.executors.interface import Mutant
from ...inputs.types.value_kinds import kind_of
from ...mutation.kill_matrix import kills, placed
from ...mutation.mutants import MutantRecord, adversaries_of
from ...mutation.operators.mistakes.values.coercion_mistakes import RESULT
from ...observation.decode_records import decode_text
from ...observation.observation import Malformed, Node, Value
from ..corpus.trial_result import TrialResult
from ..drafts.readable import same_but_for_names
from ..mutants.draft_selection import Selection

KILLERS = 2
"""Wanted number of calls that tell each wrong version from the original."""
_LATE = 0.9
"""Share of the wall-clock time after which no more mutants are tried."""
_CALLS = ((0.003, 256), (0.03, 64))
"""Pairs of processor seconds per call and the number of calls to try at that cost. The steps are
few and far apart, so that two runs seldom choose differently."""
_RESULTS = 40
"""Results whose kinds are looked at."""


def discriminating_calls(selection: Selection, found: Sequence[TrialResult]) -> list[TrialResult]:
    """Return few calls that together kill each wrong version several times, the strongest first.

    Args:
        selection: where the calls are tried.
        found: calls that may be cases; where several kill a version, the first ones count.
    """
    allowance = selection.allowance
    if allowance is not None and allowance.effort.is_late(_LATE):
        return []
    made = adversaries_of(selection.block, _kinds(found))
    killers = _killers(selection, _affordable(found), made)
    return _covering(found, killers)


def _kinds(found: Sequence[TrialResult]) -> dict[str, set[str]]:
    """Return the kinds of values that calls pass to each parameter, and of what they return."""
    kinds: dict[str, set[str]] = {}
    for each in found:
        for name, text in each.draft.arguments:
            kinds.setdefault(name, set()).add(kind_of(text))
    results = (decode_text(each.trial.observation) for each in found[:_RESULTS])
    kinds[RESULT] = {_kind(each.value) for each in results if not isinstance(each, Malformed)}
    return kinds


def _kind(value: Value) -> str:
    return value.kind if isinstance(value, Node) else type(value).__name__


def _affordable(found: Sequence[TrialResult]) -> Sequence[TrialResult]:
    """Return as many of the first calls as the budget allows; none if each call is slow."""
    some = found[: _CALLS[0][1]]
    seconds = sum(each.trial.cpu_seconds for each in some) / max(len(some), 1)
    return found[: next((count for most, count in _CALLS if seconds <= most), 0)]


def _killers(
    selection: Selection, found: Sequence[TrialResult], made: Sequence[MutantRecord]
) -> list[frozenset[int]]:
    """Return, for each mutant, the indices of the first calls that kill it."""
    arcs = [each.trial.arcs for each in found]
    span = selection.trial.span
    near = [placed(each.mutant, each.lines or span, arcs) for each in made]
    cases = selection.cases(each.draft for each in found)
    killed = kills(selection.trial, cases, [_until(each) for each in near])
    steady = {
        at
        for at, text in killed.original.items()
        if same_but_for_names(text, found[at].trial.observation)
    }
    return [of & steady for of in killed.by_mutant.values()]


def _until(mutant: Mutant) -> Mutant:
    return Mutant(mutant.name, mutant.text, mutant.cases, KILLERS)


def _covering(found: Sequence[TrialResult], killers: Sequence[frozenset[int]]) -> list[TrialResult]:
    """Choose calls greedily until each mutant has as many killers as it can have."""
    needs = {at: min(KILLERS, len(of)) for at, of in enumerate(killers)}
    of_call: dict[int, set[int]] = {}
    for mutant, calls in enumerate(killers):
        for call in calls:
            of_call.setdefault(call, set()).add(mutant)
    chosen: list[TrialResult] = []
    left = dict(of_call)
    while left:
        best = max(left, key=lambda call: (sum(needs[m] > 0 for m in left[call]), -call))
        gained = [mutant for mutant in left.pop(best) if needs[mutant] > 0]
        if not gained:
            break
        for mutant in gained:
            needs[mutant] -= 1
        chosen.append(found[best])
    return chosen
