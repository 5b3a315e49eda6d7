"""Arrays and tensors: the same numbers in other shapes, and other numbers in the same shape."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import prod

from ....mocker.shapes.name_hints import words

RANGE = re.compile(
    r"(__import__\([\"'](?:numpy|torch)[\"']\)\.)arange\([^()]*\)(?:\.reshape\([^()]*\))?"
)
"""An array of numbers that rise, and the library that makes it."""
_COVARIANCES = frozenset("cov covs covariance covariances".split())
_SHAPES = ((4,), (3, 3), (2, 3), (2, 3, 3), (1, 4), (4, 1))


def array_texts(text: str) -> Iterator[str]:
    """Other arrays in the place of one that an expression is; nothing for other expressions."""
    found = RANGE.fullmatch(text)
    if found is None:
        return
    library = found[1]
    yield from (array_text(library, shape) for shape in _SHAPES)
    yield f"{library}eye(3)"
    yield f"{library}zeros((3, 3))"
    yield f"{library}arange(4)"
    yield f"-{library}arange(1.0, 5.0)"


def array_text(library: str, shape: Sequence[int]) -> str:
    """Numbers that rise, in a shape.

    Args:
        library: what stands before the name of a function of it.
        shape: sizes of the dimensions.
    """
    made = f"{library}arange(1.0, {prod(shape) + 1}.0)"
    return made if len(shape) == 1 else f"{made}.reshape({', '.join(map(str, shape))})"


def is_covariance(name: str) -> bool:
    """Whether a value of that name has to be a symmetric matrix with positive eigenvalues."""
    return bool(_COVARIANCES & {*words(name)})


def covariance_text(library: str, name: str) -> str:
    """Such a matrix; one for each of some classes where the name is a plural."""
    is_stack = bool(_COVARIANCES & {w for w in words(name) if w.endswith("s")})
    scales = f"{library}arange(1.0, 5.0).reshape(4, 1, 1) * " if is_stack else ""
    return f"{scales}{library}eye(4)"
