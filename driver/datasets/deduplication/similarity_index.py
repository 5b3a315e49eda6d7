"""Which of many texts are similar, exactly: a set similarity join with prefix filters.

Shingles are numbered by how many texts have them, the rarest first. If the Jaccard similarity of
two sets is at least `t`, the first `n - ceil(t * n) + 1` of the `n` numbers of either have one in
common (Bayardo, Ma and Srikant, "Scaling up all pairs similarity search", WWW 2007). An index of
those finds every pair, and the similarity itself is then counted. MinHash with LSH would miss some
pairs, and is slower here: see `benchmarks.datasets.duplicates`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_OVERLAP = 20
"""Shingles that a fragment and a function must at least have for their overlap to mean anything."""
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class ShingleSet:
    """The shingles of one text among many."""

    size: int
    shared: NDArray[np.uint32]
    """Numbers of those that other texts have, too, sorted."""

    def prefix(self, similarity: float) -> list[int]:
        """Return numbers of which any set of this similarity has one."""
        length = self.size - math.ceil(similarity * self.size - _ROUNDING) + 1
        in_one_text = self.size - len(self.shared)  # they are the rarest, and come first
        first: list[int] = self.shared[: max(0, length - in_one_text)].tolist()
        return first

    def common(self, other: ShingleSet) -> int:
        """Return how many shingles both have."""
        return len(np.intersect1d(self.shared, other.shared, assume_unique=True))


def shingle_sets(texts: Sequence[NDArray[np.uint64]]) -> list[ShingleSet]:
    """Return the sets of all texts, which are compared with one another and no others."""
    if not texts:
        return []
    ends = np.cumsum([len(text) for text in texts])
    known, places, counts = np.unique(
        np.concatenate(texts), return_inverse=True, return_counts=True
    )
    ranks = np.empty(len(known), np.uint32)
    ranks[np.lexsort((known, counts))] = np.arange(len(known), dtype=np.uint32)
    numbers = ranks[places]
    first_shared = int((counts == 1).sum())
    sets: list[ShingleSet] = []
    for numbers_of_text in np.split(numbers, ends[:-1]):
        shared = np.sort(numbers_of_text[numbers_of_text >= first_shared])
        sets.append(ShingleSet(len(numbers_of_text), shared))
    return sets


class SimilarityIndex:
    """Finds the most similar one of the sets that were added."""

    def __init__(self, similarity: float) -> None:
        self._least = similarity
        self._sets: list[ShingleSet] = []
        self._with: dict[int, list[int]] = {}

    def add(self, added: ShingleSet) -> None:
        """Add a set; its place is the number of those before it."""
        for number in added.prefix(self._least):
            self._with.setdefault(number, []).append(len(self._sets))
        self._sets.append(added)

    def most_similar(self, asked: ShingleSet) -> tuple[int, float] | None:
        """Return place and similarity of the most similar set, of several the first.

        It is `None` if none has the least similarity.
        """
        found = {
            place
            for number in asked.prefix(self._least)
            for place in self._with.get(number, ())
            if self._may_be_similar(asked.size, self._sets[place].size)
        }
        best: tuple[int, float] | None = None
        for place in sorted(found):
            other = self._sets[place]
            common = asked.common(other)
            similarity = common / (asked.size + other.size - common)
            if similarity >= self._least and (best is None or similarity > best[1]):
                best = place, similarity
        return best

    def _may_be_similar(self, one: int, other: int) -> bool:
        return min(one, other) >= self._least * max(one, other) - _ROUNDING


class OverlapIndex:
    """Finds the fragment that a function has most of, or that has most of the function.

    The overlap is the number of common shingles by that of the smaller set.
    """

    def __init__(self, overlap: float, fragments: Iterable[ShingleSet]) -> None:
        self._least = overlap
        self._fragments = list(fragments)
        self._with: dict[int, list[int]] = {}
        for place, fragment in enumerate(self._fragments):
            if fragment.size >= LEAST_OVERLAP:
                for number in fragment.shared.tolist():
                    self._with.setdefault(number, []).append(place)

    def largest_overlap(self, asked: ShingleSet) -> tuple[int, float] | None:
        """Return place and overlap of the fragment with the largest, of several the first."""
        if asked.size < LEAST_OVERLAP or not self._with:
            return None
        common = Counter[int]()
        for number in asked.shared.tolist():
            common.update(self._with.get(number, ()))
        best: tuple[int, float] | None = None
        for place, count in sorted(common.items()):
            overlap = count / min(asked.size, self._fragments[place].size)
            if overlap >= self._least and (best is None or overlap > best[1]):
                best = place, overlap
        return best
