"""Case selection: few cases that together take every branch and kill every killable mutant.

A greedy set cover. Of two cases that do the same, the more readable one stays.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

MOST_CASES = 16


@dataclass(frozen=True, slots=True)
class CaseValue:
    """The arcs and mutants that one case covers."""

    reaches: frozenset[Hashable]
    """Arcs that the case takes, and mutants that it kills."""
    cost: tuple[int, int]
    """Sort key: the smaller, the better."""


def chosen(worths: Sequence[CaseValue], limit: int = MOST_CASES) -> list[int]:
    """Return the positions of the cases to keep, in the order of selection."""
    left = set[Hashable]().union(*(value.reaches for value in worths))
    kept: list[int] = []
    while left and len(kept) < limit:
        best = min(
            range(len(worths)),
            key=lambda i: (-len(worths[i].reaches & left), worths[i].cost, i),
        )
        gained = worths[best].reaches & left
        if not gained:
            break
        kept.append(best)
        left -= gained
    return _without_idle(worths, kept)


def _without_idle(worths: Sequence[CaseValue], kept: list[int]) -> list[int]:
    """Return the positions that stay when cases whose reach others cover are dropped."""
    for each in sorted(kept, key=lambda i: worths[i].cost, reverse=True):
        others = set[Hashable]().union(*(worths[i].reaches for i in kept if i != each))
        if worths[each].reaches <= others and len(kept) > 1:
            kept = [i for i in kept if i != each]
    return kept
