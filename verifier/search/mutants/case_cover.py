"""Keeping: the few cases that together take every branch and kill every mutant that any kills.

A greedy set cover; where two cases do the same, the one that is read more easily stays.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

MOST_CASES = 16


@dataclass(frozen=True, slots=True)
class CaseValue:
    """What one case does."""

    reaches: frozenset[Hashable]
    """Arcs that it takes, and mutants that it kills."""
    cost: tuple[int, int]
    """What is better is less."""


def chosen(worths: Sequence[CaseValue], most: int = MOST_CASES) -> list[int]:
    """Positions of the cases to keep, in the order in which they were needed."""
    left = set[Hashable]().union(*(worth.reaches for worth in worths))
    kept: list[int] = []
    while left and len(kept) < most:
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
    """Those that are still needed when all the others are there; the costliest go first."""
    for each in sorted(kept, key=lambda i: worths[i].cost, reverse=True):
        others = set[Hashable]().union(*(worths[i].reaches for i in kept if i != each))
        if worths[each].reaches <= others and len(kept) > 1:
            kept = [i for i in kept if i != each]
    return kept
