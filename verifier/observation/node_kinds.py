"""The kinds of node, with their fields: the contract between the two halves.

The half inside the sandbox writes these and no others; a kind, field or shape that is not in this
table makes an observation malformed.
"""

from __future__ import annotations

from dataclasses import dataclass

from .observation import Shape


@dataclass(frozen=True, slots=True)
class Kind:
    """What a node of one kind holds."""

    fields: tuple[tuple[str, type], ...] = ()
    """Names and types of its plain fields; `tuple` is a list of sizes."""
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
    # containers of the language
    "list": Kind(groups=_ITEMS),
    "tuple": Kind(groups=_ITEMS),
    "set": Kind(groups=(("items", "set"),)),
    "frozenset": Kind(groups=(("items", "set"),)),
    "dict": Kind(groups=(("items", "dict"),)),
    "ordered_dict": Kind(groups=(("items", "pairs"),)),
    # everything else that can be read
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
    # what cannot be read, or not all of it
    "opaque": Kind((_TYPE, ("why", str), ("name", str)), optional=frozenset({"name"})),
    "cut": Kind((("why", str),)),
    "ref": Kind((("to", int),)),
}

PARTIAL = frozenset({"opaque", "cut"})
"""Kinds that show less than the value was."""
