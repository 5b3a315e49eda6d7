"""Samples that depend on the seed and on what is drawn from, never on the order of it.

Each item has a number, a hash of the seed and its name, and the smallest ones are drawn. So an item
more changes little, and a larger sample contains the smaller one.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

FunctionName = tuple[str, str]
"""Path and qualified name."""


def rank(seed: int, *words: str) -> bytes:
    """Return the number of an item in the order of a seed."""
    return sha256("\0".join((str(seed), *words)).encode("utf-8", "surrogateescape")).digest()


def sample_by_example(
    functions: Sequence[tuple[str, FunctionName]], size: int, seed: int
) -> frozenset[tuple[str, FunctionName]]:
    """Return functions drawn from all repositories together.

    Args:
        functions: repository and name of each function.
        size: how many to draw.
        seed: another seed draws others.
    """
    ordered = sorted(functions, key=lambda each: (rank(seed, each[0], *each[1]), each))
    return frozenset(ordered[:size])


def sample_by_repository(
    functions: Sequence[tuple[str, FunctionName]], size: int, seed: int
) -> frozenset[tuple[str, FunctionName]]:
    """Return functions of as few repositories as give so many: whole ones, the last one in part.

    The comparison of both ways is figure 4b of RepoST (Xie et al. 2025).

    Args:
        functions: repository and name of each function.
        size: how many to draw.
        seed: another seed draws others.
    """
    ordered = sorted(
        functions,
        key=lambda each: (rank(seed, each[0]), each[0], rank(seed, each[0], *each[1]), each),
    )
    return frozenset(ordered[:size])
