"""Which mutants are tried: a bounded number of each operator, and a third that no case is made for.

As a held-out set in machine learning: cases are chosen and shrunk by the mutants that the search
sees, so only the others say how many changes such cases see that nobody had in mind. Which they are
depends on the target and on what each mutant changes, not on how many there are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

HELD_OUT = 3
"""One in so many mutants is held out."""
LEAST = 5
"""Mutants of which a share says something."""


def stratified(strata: Sequence[str], most: int) -> list[int]:
    """Positions of at most so many items, as equally many of each stratum as it has.

    Those of one stratum are spread evenly over the whole, beside those of the others.

    Args:
        strata: the stratum of each item.
        most: how many are drawn.
    """
    groups: dict[str, list[int]] = {}
    for position, stratum in enumerate(strata):
        groups.setdefault(stratum, []).append(position)
    by_size = sorted(groups.values(), key=lambda group: (len(group), group))
    found: list[int] = []
    for number, group in enumerate(by_size):
        quota = min(len(group), (most - len(found)) // (len(by_size) - number))
        shift = (number + 0.5) / len(by_size)  # or all would be drawn at the same places
        found += [group[int((each + shift) * len(group) / quota)] for each in range(quota)]
    return sorted(found)


def held_out_positions(keys: Sequence[str]) -> frozenset[int]:
    """Positions of the third, rounded down, whose keys have the least digests.

    Of few items none is: one or two mutants would say little, and the search would miss them.

    Args:
        keys: what tells each item from all others, in every run.
    """
    digests = [hashlib.sha256(key.encode()).digest() for key in keys]
    number = len(keys) // HELD_OUT
    ranked = sorted(range(len(keys)), key=lambda i: (digests[i], i))
    return frozenset(ranked[:number] if number >= LEAST else ())
