"""Hidden cases: many diverse calls that decide the verdict and are never shown.

A few cases that kill all mutants still let plausible wrong candidates pass. What protects is the
number of cases and their diversity.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from ...execution.executors.interface import cost_of
from ...mutation.mutated_block import Block
from ..corpus.trial_result import TrialResult, is_as_users_do, plain_arcs
from ..drafts.code_literals import CodeLiterals
from ..drafts.drafts import Draft
from ..drafts.fixture_files import file_statements, in_folder, may_be_path
from ..mutants.draft_selection import Selection
from ..plausibility.plausible import PlausibleValues, named_arguments
from ..variation.boundaries_in_code import edges_of
from .adversaries import discriminating_calls
from .diversity import diverse, idle_spots
from .proposals import Proposal, proposals

MOST_HIDDEN = 128
_MOST_SECONDS = 10.0
"""Most processor seconds of all hidden calls together, traced. What costs more cannot be used, and
verification would only find that out more slowly."""
_MOST_PATHS = 8
_MOST_CONTENTS = 3
"""File contents tried for each missing path."""


@dataclass(frozen=True, slots=True)
class HiddenCalls:
    """Calls for the verdict alone."""

    chosen: Sequence[TrialResult]
    others: Sequence[TrialResult]
    """All other calls that may be cases."""
    too_slow: int
    """Number of calls that would have been chosen, but take too long."""


def hidden_calls(
    selection: Selection,
    kept: Sequence[TrialResult],
    trials: Sequence[TrialResult],
    recorded: Sequence[Draft],
    literals: CodeLiterals,
    known: PlausibleValues,
) -> HiddenCalls:
    """Choose diverse calls besides those that are kept.

    Args:
        selection: where the calls are tried.
        kept: the cases that are shown to people.
        trials: further results that may be cases, the best first.
        recorded: recorded calls of the target.
        literals: literals of the code.
        known: which arguments are plausible.
    """
    seeds = dict.fromkeys((*recorded, *(each.draft for each in (*kept, *trials))))
    good = [named_arguments(each.draft) for each in (*kept, *trials)]
    known = replace(known, domain=known.domain.attained(good))
    unread = _unread(selection.block)
    edges = edges_of(selection.block.functions)
    made = proposals(
        list(seeds),
        selection.inputs,
        literals,
        known,
        idle=unread,
        recorded=set(recorded),
        edges=edges,
    )
    found = _tried(selection, made)
    idle = idle_spots(found) | unread
    rare = _rarest_first([each for _, each in found])
    distinct = {_but_for(idle, each.draft): each.draft for each in reversed(rare)}
    again = proposals(
        list(reversed(distinct.values())), selection.inputs, literals, known, idle=idle, edges=edges
    )
    again += _laid_out(rare, literals)
    tried = {each.draft for _, each in found}
    found += _tried(selection, [each for each in again if each.draft not in tried])
    shown = {e.draft for e in kept}
    found = [(proposal, each) for proposal, each in found if each.draft not in shown]
    if selection.inputs.receivers.has_mutators:
        plain = plain_arcs(each for _, each in found)
        found = [pair for pair in found if is_as_users_do(pair[1], plain)]
    distinct_first = diverse(found, len(found))
    killers = discriminating_calls(selection, distinct_first)
    wanted = diverse(found, MOST_HIDDEN, killers)
    chosen = list(_affordable(wanted))
    known_ones = set(chosen)
    others = [each for _, each in found if each not in known_ones]
    return HiddenCalls(chosen, others, len(wanted) - len(chosen))


def _affordable(calls: Iterable[TrialResult]) -> Iterator[TrialResult]:
    """Yield each call for which there is time left after those before it."""
    left = _MOST_SECONDS
    for each in calls:
        cost = cost_of(each.trial.cpu_seconds, each.trial.seconds)
        if cost <= left:
            left -= cost
            yield each


def _unread(block: Block) -> frozenset[str]:
    """Return parameters that the target never reads, and has only for its callers."""
    functions = [each for each in block.functions if not isinstance(each, ast.Lambda)]
    if len(functions) != 1:
        return frozenset()
    nodes = [node for line in functions[0].body for node in ast.walk(line)]
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    args = functions[0].args
    given = {each.arg for each in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
    return frozenset() if names & {"locals", "vars"} else frozenset(given - names)


def _laid_out(found: Sequence[TrialResult], literals: CodeLiterals) -> list[Proposal]:
    """Propose calls with a file at a path that they looked up without finding it."""
    missing_paths = {
        path: each.draft
        for each in reversed(found)
        for path in each.trial.missing_paths
        if may_be_path(path)
    }
    return [
        Proposal(f"file {path}", replace(draft, before=(*draft.before, in_folder(path, made))))
        for path, draft in list(reversed(missing_paths.items()))[:_MOST_PATHS]
        for made in file_statements(path, literals.texts)[:_MOST_CONTENTS]
    ]


def _tried(selection: Selection, made: Sequence[Proposal]) -> list[tuple[Proposal, TrialResult]]:
    """Try proposals. Return those that may be cases, with their results."""
    tried = selection.explored([each.draft for each in made], selection.trial)
    pairs = zip(made, tried, strict=False)
    return [(proposal, each) for proposal, each in pairs if selection.may_be_case(each)]


def _rarest_first(found: Sequence[TrialResult]) -> list[TrialResult]:
    """Order calls path by path, in turn, beginning with the paths that the fewest calls take.

    After AFLFast (Böhme et al., "Coverage-based greybox fuzzing as Markov chain", CCS 2016): inputs
    near a rare path are tried as often as inputs near a common one.
    """
    paths: dict[Hashable, list[TrialResult]] = {}
    for each in found:
        paths.setdefault(frozenset(each.trial.arcs), []).append(each)
    groups = sorted(paths.values(), key=len)
    return [each for turn in zip_longest(*groups) for each in turn if each is not None]


def _but_for(idle: Collection[str], draft: Draft) -> tuple[tuple[str, str], ...]:
    """Return what a call gives at all spots that are not idle."""
    pairs = zip(draft.spots, draft.texts, strict=True)
    return tuple((spot, text) for spot, text in pairs if spot not in idle)


def simplest(
    hidden: Sequence[TrialResult], kept: Sequence[TrialResult], count: int
) -> list[TrialResult]:
    """Return the shortest hidden calls whose observations none of the kept calls has."""
    seen = {each.trial.observation for each in kept}
    found: list[TrialResult] = []
    for each in sorted(hidden, key=lambda e: (e.cost, repr(e.draft))):
        if len(found) < count and each.trial.observation not in seen:
            seen.add(each.trial.observation)
            found.append(each)
    return found
