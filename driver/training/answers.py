"""Rejection sampling: of the candidates that passed, the distinct ones, at most so many a function.

Two candidates are one where their syntax trees are, but for names of local variables, docstrings,
comments and annotations (`datasets.deduplication.tree_digest`). What equals the original is left
out: the original is always in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .candidates import Candidate
from .functions import TrainingFunction


@dataclass(frozen=True, slots=True)
class Distinct:
    """The distinct candidates of a function, and numbers of samples that are left out."""

    candidates: tuple[Candidate, ...]
    same_as_original: int
    """Samples whose tree is the original's."""
    same_as_other: int
    """Further samples with the tree of one that stays."""


def distinct(
    candidates: Iterable[Candidate], original: str, digests: Mapping[str, str]
) -> Distinct:
    """Return candidates with trees of their own, in their order.

    Args:
        candidates: distinct texts, the preferred ones first.
        original: text of the original.
        digests: digest of the tree of each text.
    """
    seen: set[str] = set()
    kept: list[Candidate] = []
    same_as_original = same_as_other = 0
    for each in candidates:
        tree = digests[each.code]
        if tree == digests[original]:
            same_as_original += each.passed
        elif tree in seen:
            same_as_other += each.passed
        else:
            seen.add(tree)
            kept.append(each)
            same_as_other += each.passed - 1
    return Distinct(tuple(kept), same_as_original, same_as_other)


def drawn(
    candidates: Sequence[Candidate], function: TrainingFunction, most: int, seed: int
) -> list[Candidate]:
    """Return at most so many candidates, drawn by seed, in their order."""
    if len(candidates) <= most:
        return list(candidates)
    chosen = set(sorted(candidates, key=lambda each: rank(function.id, each.code, seed))[:most])
    return [each for each in candidates if each in chosen]


def rank(environment: str, text: str, seed: int) -> bytes:
    """Return a number for an order by chance that a seed decides."""
    whole = f"{seed}\0{environment}\0{text}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(whole).digest()
