"""Diversity: select the calls that differ the most."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain, islice, zip_longest

from ...inputs.environment.environment_inputs import is_moment
from ...script.branch_coverage import Arc
from ..corpus.trial_result import TrialResult, quality
from .proposals import FORM, RECORDED, SEQUENCE, Proposal

_LEAST_CHANGES = 2
"""Changes without effect after which a spot counts as idle."""
_FRESH_TO_KNOWN = 3
"""Calls with a new observation for each call with a known one."""
_MOST_TELLING = 0.5
"""Largest share of recorded calls, text forms and sequences, which come before variations."""
_MOST_MOMENTS = 0.15
"""Largest share of calls at other points in time, as long as there are other calls."""
_MOST_RAISED = 0.3
"""Largest share of calls that raise."""


def diverse(
    found: Sequence[tuple[Proposal, TrialResult]], limit: int, killers: Sequence[TrialResult] = ()
) -> list[TrialResult]:
    """Return the most diverse calls: by path first, then by what was varied and how.

    Calls that kill wrong versions alternate with calls of new paths. Recorded calls, text forms and
    sequences of calls come before plain variations. Then each path has its turn, in each path each
    kind of change, and in each kind each change. Three of four calls have a new observation, as
    long as there are such calls.

    Args:
        found: calls with their proposals, the best first.
        limit: number of calls to keep.
        killers: calls that kill wrong versions of the target, the strongest first.
    """
    idle = idle_spots(found)
    paths: list[TrialResult] = []
    across: list[TrialResult] = []
    telling: dict[str, list[TrialResult]] = {RECORDED: [], FORM: [], SEQUENCE: []}
    fresh: _Groups = {}
    known: _Groups = {}
    seen: set[Hashable] = set()
    for proposal, each in found:
        path, outcome = frozenset(each.trial.arcs), each.trial.observation
        is_new_path, is_fresh = path not in seen, outcome not in seen
        seen |= {path, outcome}
        if is_new_path:
            paths.append(each)
            continue
        kind, change = proposal.tag.partition(" ")[0], proposal.tag
        if proposal.spot is not None:  # changes that show nothing share one turn
            kind = "idle" if proposal.spot in idle else f"of {proposal.spot}"
            change = proposal.spot if proposal.spot in idle else proposal.tag
        if kind == "crossed" and not is_fresh:
            across.append(each)
            continue
        if kind in telling and (is_fresh or kind != SEQUENCE):
            telling[kind].append(each)
            continue
        of_path = (fresh if is_fresh else known).setdefault(path, {})
        of_path.setdefault(kind, {}).setdefault(change, []).append(each)
    first, share = _turns([*telling.values()]), int(limit * _MOST_TELLING)
    mixed = _mixed(_in_turn(fresh), chain(across, _in_turn(known)))
    special = _turns([paths, killers])
    known_first = dict.fromkeys(chain(special, first[:share], mixed, first[share:]))
    return list(islice(_few_moments(_few_raised(known_first, limit), limit), limit))


_Groups = dict[Hashable, dict[Hashable, dict[Hashable, list[TrialResult]]]]
"""Calls by path, then by the kind of change that made them, then by the change."""


def _mixed(fresh: Iterator[TrialResult], known: Iterator[TrialResult]) -> Iterator[TrialResult]:
    """Mix calls with known observations among new ones: only a candidate may react to them."""
    while some := list(islice(fresh, _FRESH_TO_KNOWN)):
        yield from some
        yield from islice(known, 1)
    yield from known


def _in_turn(groups: _Groups) -> Iterator[TrialResult]:
    paths = [
        _turns([_turns(list(changes.values())) for changes in kinds.values()])
        for kinds in groups.values()
    ]
    yield from _turns(paths)


def _turns(groups: Sequence[Sequence[TrialResult]]) -> list[TrialResult]:
    return [each for turn in zip_longest(*groups) for each in turn if each is not None]


def idle_spots(found: Sequence[tuple[Proposal, TrialResult]]) -> set[str]:
    """Return the spots that were changed often enough without any effect on observation or path."""
    known = {each.draft: _shown(each) for _, each in found}
    changed: dict[str, list[bool]] = {}
    for proposal, each in found:
        if proposal.spot is not None and proposal.of in known:
            is_seen = known[proposal.of] != _shown(each)
            changed.setdefault(proposal.spot, []).append(is_seen)
    return {spot for spot, seen in changed.items() if len(seen) >= _LEAST_CHANGES and not any(seen)}


def _shown(trial: TrialResult) -> tuple[str, frozenset[Arc]]:
    return trial.trial.observation, frozenset(trial.trial.arcs)


def _few_moments(found: Iterable[TrialResult], limit: int) -> Iterator[TrialResult]:
    """Move calls at other points in time to the end, except for a share of them."""
    left, late = int(limit * _MOST_MOMENTS), list[TrialResult]()
    for each in found:
        if any(is_moment(e.text) for e in each.draft.before):
            left -= 1
            if left < 0:
                late.append(each)
                continue
        yield each
    yield from late


def _few_raised(found: Iterable[TrialResult], limit: int) -> Iterator[TrialResult]:
    """Yield all calls that return, and a limited share of those that raise."""
    left = int(limit * _MOST_RAISED)
    for each in found:
        if quality(each.trial) > 0 and left <= 0:
            continue
        left -= quality(each.trial) > 0
        yield each
