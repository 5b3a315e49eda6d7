"""The kinds of node with their fields: the contract between sandbox and trusted half.

The sandbox writes no other nodes. A kind, field or shape outside this table makes an observation
malformed.
"""

from __future__ import annotations

from dataclasses import dataclass

from .observation import Shape


@dataclass(frozen=True, slots=True)
class Kind:
    """The contents of nodes of one kind."""

    fields: tuple[tuple[str, type], ...] = ()
    """Names and types of plain fields; `tuple` is a list of sizes."""
    groups: tuple[tuple[str, Shape], ...] = ()
    optional: frozenset[str] = frozenset()
    """Fields and groups that may be missing."""


_TYPE = ("type", str)
_ITEMS: tuple[tuple[str, Shape], ...] = (("items", "nodes"),)

KINDS: dict[str, Kind] = {
    # values without children
    "int": Kind((("hex", str),)),
    "float": Kind((("value", str),)),
    "complex": Kind((("real", str), ("imag", str))),
    "str": Kind((("hex", str),)),
    "bytes": Kind((("hex", str),)),
    "constant": Kind((("name", str),)),
    "long": Kind((("of", str), ("length", int), ("sha256", str), ("start", str))),
    "named": Kind((("of", str), ("name", str))),
    # builtin containers
    "list": Kind(groups=_ITEMS),
    "tuple": Kind(groups=_ITEMS),
    "set": Kind(groups=(("items", "set"),)),
    "frozenset": Kind(groups=(("items", "set"),)),
    "dict": Kind(groups=(("items", "dict"),)),
    "ordered_dict": Kind(groups=(("items", "pairs"),)),
    # all other readable values
    "object": Kind((_TYPE,), (("base", "node"), ("state", "named")), frozenset({"base"})),
    "value": Kind((_TYPE,), (("parts", "named"),)),
    "exception": Kind(
        (_TYPE, ("context", str)),
        (("args", "nodes"), ("state", "named"), ("cause", "node")),
        frozenset({"context", "cause"}),
    ),
    "iterator": Kind((_TYPE, ("end", str)), (("items", "nodes"), ("last", "node"))),
    "closure": Kind((_TYPE,), (("calls", "named"),)),
    "array": Kind(
        (
            _TYPE,
            ("dtype", str),
            ("shape", tuple),
            ("device", str),
            ("grad", bool),
            ("layout", str),
            ("data", str),
            ("sha256", str),
        ),
        _ITEMS,
        frozenset({"device", "grad", "layout", "data", "sha256", "items"}),
    ),
    # values that cannot be read, or not completely
    "opaque": Kind((_TYPE, ("why", str), ("name", str)), optional=frozenset({"name"})),
    "cut": Kind((("why", str),)),
    "ref": Kind((("to", int),)),
}

PARTIAL = frozenset({"opaque", "cut"})
"""Kinds that show less than the value was."""
