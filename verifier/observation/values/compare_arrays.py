"""Compare the contents of two arrays of one dtype and shape."""

from __future__ import annotations

import operator
import struct
from binascii import a2b_base64
from collections.abc import Callable

from ..observation import Node

_FORMATS = {
    "b1": "?",
    "i1": "b",
    "u1": "B",
    "i2": "h",
    "u2": "H",
    "i4": "i",
    "u4": "I",
    "i8": "q",
    "u8": "Q",
    "f2": "e",
    "f4": "f",
    "f8": "d",
    "c8": "f",
    "c16": "d",
}


_PART = 3 << 14
"""Bytes compared at a time: whole items of every size, and whole groups of base64."""


def array_difference(
    left: Node, right: Node, agree: Callable[[float, float], bool], close: Callable[..., bool]
) -> tuple[str, str, str] | None:
    """Return index, expected and observed item of the first difference; `None` without one.

    Args:
        left: the expected array.
        right: the observed array, of the same layout and shape.
        agree: whether two numbers agree.
        close: a faster test that only accepts agreeing numbers.
    """
    old, new = left.text("data"), right.text("data")
    layout = left.text("layout").lstrip("<|")
    form = _FORMATS[layout]
    characters = _PART // 3 * 4
    if layout[0] in "biu":
        agree = close = operator.eq
    for start in range(0, len(old), characters):
        pieces = [text[start : start + characters] for text in (old, new)]
        if pieces[0] == pieces[1]:
            continue
        first, second = (_numbers(piece, form) for piece in pieces)
        if all(map(close, first, second)):
            continue
        for position, (a, b) in enumerate(zip(first, second, strict=True)):
            if not agree(a, b):
                position += start // 4 * 3 // struct.calcsize(f"<{form}")  # noqa: PLW2901
                place = position // 2 if layout[0] == "c" else position
                shape = left.field("shape")
                return _index(place, shape if isinstance(shape, tuple) else ()), str(a), str(b)
    return None


def numbers_of(array: Node) -> tuple[float, ...]:
    """Return the numbers of an array that has its data; for complex ones their parts."""
    return _numbers(array.text("data"), _FORMATS[array.text("layout").lstrip("<|")])


def _numbers(data: str, form: str) -> tuple[float, ...]:
    content = a2b_base64(data)
    return struct.unpack(f"<{len(content) // struct.calcsize(f'<{form}')}{form}", content)


def _index(position: int, shape: tuple[int, ...]) -> str:
    found: list[str] = []
    for size in reversed(shape):
        position, rest = divmod(position, size)
        found.append(str(rest))
    return f"[{', '.join(reversed(found))}]" if found else ""
