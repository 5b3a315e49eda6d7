"""Arrays and tensors: the same numbers in other shapes, and other numbers in the same shape."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import prod

from ....mocker.shapes.name_hints import words

RANGE = re.compile(
    r"(__import__\([\"'](?:numpy|torch)[\"']\)\.)arange\([^()]*\)(?:\.reshape\([^()]*\))?"
)
"""Matches an array of rising numbers; the first group is the library."""
_COVARIANCES = frozenset("cov covs covariance covariances".split())
_SHAPES = ((4,), (3, 3), (2, 3), (2, 3, 3), (1, 4), (4, 1))


def array_texts(text: str) -> Iterator[str]:
    """Yield other arrays for an expression that is such an array; nothing for other expressions."""
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
    """Return an array of rising numbers in a shape.

    Args:
        library: prefix before the library's function names.
        shape: sizes of the dimensions.
    """
    made = f"{library}arange(1.0, {prod(shape) + 1}.0)"
    return made if len(shape) == 1 else f"{made}.reshape({', '.join(map(str, shape))})"


def is_covariance(name: str) -> bool:
    """Whether a value of that name must be a symmetric positive-definite matrix."""
    return bool(_COVARIANCES & {*words(name)})


def covariance_text(library: str, name: str) -> str:
    """Return a matrix; a stack of matrices if the name is a plural."""
    is_stack = bool(_COVARIANCES & {w for w in words(name) if w.endswith("s")})
    scales = f"{library}arange(1.0, 5.0).reshape(4, 1, 1) * " if is_stack else ""
    return f"{scales}{library}eye(4)"
