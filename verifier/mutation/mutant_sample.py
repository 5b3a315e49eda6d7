"""The sample of mutants: a bounded number of each operator, a third of them held out.

As with a held-out set in machine learning, cases are chosen and shrunk by the visible mutants. So
only the held-out ones tell how many unforeseen changes the cases detect. Membership depends on the
target and on what each mutant changes, not on the number of mutants.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

HELD_OUT = 3
"""One in so many mutants is held out."""
LEAST = 5
"""Fewest mutants for which a rate means something."""


def stratified(strata: Sequence[str], limit: int) -> list[int]:
    """Return the positions of at most `most` items, equally many of each stratum where possible.

    The items of each stratum are spread evenly, and between those of the others.

    Args:
        strata: the stratum of each item.
        limit: largest number of items.
    """
    groups: dict[str, list[int]] = {}
    for position, stratum in enumerate(strata):
        groups.setdefault(stratum, []).append(position)
    by_size = sorted(groups.values(), key=lambda group: (len(group), group))
    found: list[int] = []
    for number, group in enumerate(by_size):
        quota = min(len(group), (limit - len(found)) // (len(by_size) - number))
        shift = (number + 0.5) / len(by_size)  # so that strata are drawn at different places
        found += [group[int((each + shift) * len(group) / quota)] for each in range(quota)]
    return sorted(found)


def held_out_positions(keys: Sequence[str]) -> frozenset[int]:
    """Return the positions of the third, rounded down, whose keys have the smallest digests.

    Of few items none is held out: one or two say little, and the search would miss them.

    Args:
        keys: unique keys that are the same in every run.
    """
    digests = [hashlib.sha256(key.encode()).digest() for key in keys]
    number = len(keys) // HELD_OUT
    ranked = sorted(range(len(keys)), key=lambda i: (digests[i], i))
    return frozenset(ranked[:number] if number >= LEAST else ())
