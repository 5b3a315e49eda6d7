"""Comparing the contents of two arrays of one dtype and shape."""

from __future__ import annotations

import struct
from binascii import a2b_base64
from collections.abc import Callable

from .model import Node

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


def array_difference(
    left: Node, right: Node, close: Callable[[float, float], bool]
) -> tuple[str, str, str] | None:
    """Index, expected and observed item of the first difference; `None` where there is none."""
    if left.text("data") == right.text("data"):
        return None
    layout = left.text("layout").lstrip("<|")
    old, new = (_numbers(node.text("data"), layout) for node in (left, right))
    is_exact = layout[0] in "biu"
    for position, (a, b) in enumerate(zip(old, new, strict=True)):
        if a == b if is_exact else close(a, b):
            continue
        place = position // 2 if layout[0] == "c" else position
        shape = left.field("shape")
        return _index(place, shape if isinstance(shape, tuple) else ()), str(a), str(b)
    return None


def _numbers(data: str, layout: str) -> tuple[float, ...]:
    content = a2b_base64(data)
    form = _FORMATS[layout]
    return struct.unpack(f"<{len(content) // struct.calcsize(form)}{form}", content)


def _index(position: int, shape: tuple[int, ...]) -> str:
    found: list[str] = []
    for size in reversed(shape):
        position, rest = divmod(position, size)
        found.append(str(rest))
    return f"[{', '.join(reversed(found))}]" if found else ""
