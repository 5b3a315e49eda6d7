"""Diversity: of many calls those that differ the most, and that end as somebody meant."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain, islice, zip_longest

from ..mutation.block import Block
from .explored import Explored, quality, shows
from .proposals import Proposal

_MOST_RAISED = 0.3
"""Share of the calls that may end with an exception."""


def meant_exceptions(block: Block) -> re.Pattern[str]:
    """The exceptions that a target raises by name: those are no accidents."""
    text = b"\n".join(block.lines).decode()
    names = sorted(set(re.findall(r"\braise\s+(?:\w+\.)*(\w+)", text)))
    return re.compile(rf'[."](?:{"|".join(map(re.escape, names))})"') if names else _NOTHING


_NOTHING = re.compile(r"(?!)")


def is_meant(explored: Explored, meant: re.Pattern[str]) -> bool:
    """Whether a call ends as somebody meant: it returns, or raises what no accident raises."""
    if not shows(explored):
        return False
    if quality(explored.tried) < 2:
        return True
    return bool(meant.search(explored.tried.observation[:400]))


def diverse(found: Sequence[tuple[Proposal, Explored]], most: int) -> list[Explored]:
    """The calls that differ the most: by path first, then by what was varied how.

    Each kind of change has its turn, and in each kind each change; what is observed anew goes
    before what was seen.

    Args:
        found: calls and what is special about each, the best first.
        most: calls that are kept.
    """
    idle = _idle_places(found)
    paths: list[Explored] = []
    fresh: _Groups = {}
    known: _Groups = {}
    seen: set[Hashable] = set()
    for proposal, each in found:
        path, outcome = frozenset(each.tried.arcs), each.tried.observation
        is_new_path, is_fresh = path not in seen, outcome not in seen
        seen |= {path, outcome}
        if is_new_path:
            paths.append(each)
            continue
        kind = proposal.place if proposal.place >= 0 else proposal.tag.partition(" ")[0]
        change = proposal.place if proposal.place in idle else proposal.tag
        of_kind = (fresh if is_fresh else known).setdefault(kind, {})
        of_kind.setdefault(change, []).append(each)
    return list(islice(_few_raised(chain(paths, _in_turn(fresh), _in_turn(known)), most), most))


_Groups = dict[Hashable, dict[Hashable, list[Explored]]]


def _in_turn(groups: _Groups) -> Iterator[Explored]:
    kinds = [_turns(list(changes.values())) for changes in groups.values()]
    yield from _turns(kinds)


def _turns(groups: Sequence[Sequence[Explored]]) -> list[Explored]:
    return [each for turn in zip_longest(*groups) for each in turn if each is not None]


def _idle_places(found: Iterable[tuple[Proposal, Explored]]) -> set[int]:
    """Places whose changes were never seen: one call for all of them is enough in each round."""
    seen: dict[int, set[str]] = {}
    for proposal, each in found:
        seen.setdefault(proposal.place, set()).add(each.tried.observation)
    return {place for place, observed in seen.items() if len(observed) == 1 and place >= 0}


def _few_raised(found: Iterable[Explored], most: int) -> Iterator[Explored]:
    """All that return, and of those that raise no more than a share of the most."""
    left = int(most * _MOST_RAISED)
    for each in found:
        if quality(each.tried) > 0 and left <= 0:
            continue
        left -= quality(each.tried) > 0
        yield each
