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
    """The calls that differ the most: by path and outcome first, then by what was varied how.

    Args:
        found: calls and what is special about each, the best first.
        most: calls that are kept.
    """
    idle = _idle_places(found)
    groups: dict[Hashable, list[Explored]] = {}
    seen: set[Hashable] = set()
    for proposal, each in found:
        path, outcome = frozenset(each.tried.arcs), each.tried.observation
        is_new = not {path, outcome} <= seen
        seen |= {path, outcome}
        place = proposal.place if proposal.place in idle else proposal.tag
        groups.setdefault("new" if is_new else place, []).append(each)
    by_turns = chain(groups.pop("new", ()), chain.from_iterable(zip_longest(*groups.values())))
    return list(islice(_few_raised(by_turns, most), most))


def _idle_places(found: Iterable[tuple[Proposal, Explored]]) -> set[int]:
    """Places whose changes were never seen: one call for all of them is enough in each round."""
    seen: dict[int, set[str]] = {}
    for proposal, each in found:
        seen.setdefault(proposal.place, set()).add(each.tried.observation)
    return {place for place, observed in seen.items() if len(observed) == 1 and place >= 0}


def _few_raised(found: Iterable[Explored | None], most: int) -> Iterator[Explored]:
    """All that return, and of those that raise no more than a share of the most."""
    left = int(most * _MOST_RAISED)
    for each in found:
        if each is None or (quality(each.tried) > 0 and left <= 0):
            continue
        left -= quality(each.tried) > 0
        yield each
