"""Checks of nodes beyond the table of kinds: well-formed numbers, valid references.

A check gets the node and the number of shared nodes.
"""

from __future__ import annotations

import math
from binascii import Error as Base64Error
from binascii import a2b_base64
from collections.abc import Callable

from .observation import Node
from .untrusted_json import Json, MalformedError

MAX_DIMENSIONS = 64

_LAYOUTS = {
    "b1": 1,
    "i1": 1,
    "u1": 1,
    "i2": 2,
    "u2": 2,
    "i4": 4,
    "u4": 4,
    "i8": 8,
    "u8": 8,
    "f2": 2,
    "f4": 4,
    "f8": 8,
    "c8": 8,
    "c16": 16,
}
"""Maps numpy's type names to the bytes of one item."""

_HEX = frozenset("0123456789abcdef")


def sizes(content: Json) -> tuple[int, ...]:
    """Return the dimensions of an array.

    Raises:
        MalformedError: the content is no list of dimensions.
    """
    if type(content) is not list or len(content) > MAX_DIMENSIONS:
        raise MalformedError("", "no list of sizes")
    found: list[int] = []
    for size in content:
        if type(size) is not int or not 0 <= size < 1 << 48:
            raise MalformedError("", "no size")
        found.append(size)
    return tuple(found)


def _numbers(node: Node, _shared: int) -> None:
    for _, text in node.fields:
        try:
            is_canonical = repr(float(text)) == text  # type: ignore[arg-type]
        except ValueError:
            is_canonical = False
        if not is_canonical:
            raise MalformedError("", "no number")


def _integer(node: Node, _shared: int) -> None:
    digits = node.text("hex").removeprefix("-").removeprefix("0x")
    if not digits or not _HEX.issuperset(digits):
        raise MalformedError("", "no hexadecimal digits")


def _bytes(node: Node, _shared: int) -> None:
    text = node.text("hex")
    if len(text) % 2 or not _HEX.issuperset(text):
        raise MalformedError("", "no hexadecimal digits")


def _text(node: Node, _shared: int) -> None:
    _bytes(node, _shared)
    try:
        bytes.fromhex(node.text("hex")).decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise MalformedError("", "no text") from error


def _reference(node: Node, shared: int) -> None:
    to = node.field("to")
    if not isinstance(to, int) or not 0 <= to < shared:
        raise MalformedError("", "a reference that leads nowhere")


def _array(node: Node, _shared: int) -> None:
    forms = [node.field(name) is not None for name in ("data", "sha256")]
    forms.append(any(group.name == "items" for group in node.groups))
    if sum(forms) != 1:
        raise MalformedError("", "an array has data, a checksum, or items")
    if node.field("data") is None:
        return
    size = _LAYOUTS.get(node.text("layout").lstrip("<|"))
    if size is None:
        raise MalformedError("", "unknown layout")
    try:
        data = a2b_base64(node.text("data"), strict_mode=True)
    except (Base64Error, ValueError) as error:
        raise MalformedError("", "no base64") from error
    shape = node.field("shape")
    if not isinstance(shape, tuple) or len(data) != size * math.prod(shape):
        raise MalformedError("", "data of another size than the shape says")


CHECKS: dict[str, Callable[[Node, int], None]] = {
    "float": _numbers,
    "complex": _numbers,
    "int": _integer,
    "str": _text,
    "bytes": _bytes,
    "ref": _reference,
    "array": _array,
}
"""Checks by the kind of node."""
