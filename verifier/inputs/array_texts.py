"""Arrays and tensors: the same numbers in other shapes, and other numbers in the same shape."""

from __future__ import annotations

import re
from collections.abc import Iterator

_RANGE = re.compile(
    r"(__import__\(\"(?:numpy|torch)\"\)\.)arange\([^()]*\)(?:\.reshape\([^()]*\))?"
)
_SHAPES = ((4,), (3, 3), (2, 3), (2, 3, 3), (1, 4), (4, 1))


def array_texts(text: str) -> Iterator[str]:
    """Other arrays in the place of one that an expression is; nothing for other expressions."""
    found = _RANGE.fullmatch(text)
    if found is None:
        return
    library = found[1]
    for shape in _SHAPES:
        total = 1
        for size in shape:
            total *= size
        made = f"{library}arange(1.0, {total + 1}.0)"
        sizes = ", ".join(map(str, shape))
        yield made if len(shape) == 1 else f"{made}.reshape({sizes})"
    yield f"{library}eye(3)"
    yield f"{library}zeros((3, 3))"
    yield f"{library}arange(4)"
    yield f"-{library}arange(1.0, 5.0)"
