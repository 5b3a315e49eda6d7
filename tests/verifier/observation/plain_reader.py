"""Reading and comparing observations as one would first write it: slowly, by recursion, unguarded.

The tests hold the real reader against this one.
"""

from __future__ import annotations

import base64
import json
import math
from typing import Any

from slicefunc.verifier.observation.node_kinds import KINDS

Json = Any
NAMES = set(
    """outcome value exception awaited value_is arguments globals files effects stdout stderr
    shared""".split()
)
SIZES = {"<i8": 8, "<f8": 8}


class WrongError(Exception):
    """It is no observation."""


def check(holds: object) -> None:
    if not holds:
        raise WrongError


def read(text: str) -> Json:
    """The observation's JSON, or `WrongError`."""

    def unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        check(len(dict(pairs)) == len(pairs))
        return dict(pairs)

    def no_number(_: str) -> None:
        raise WrongError

    try:
        found = json.loads(
            text, object_pairs_hook=unique, parse_float=no_number, parse_constant=no_number
        )
    except ValueError as error:
        raise WrongError from error
    check(isinstance(found, dict) and found.keys() <= NAMES)
    check(found.get("outcome") in ("returned", "raised", "unobservable", "not_called", "invalid"))
    check(("value" in found) == (found["outcome"] == "returned"))
    shared = found.get("shared", [])
    check(type(shared) is list)
    for item in shared:
        check(isinstance(item, dict) and item.get("kind") != "ref")
    for item in (*shared, found.get("value"), found.get("exception"), *_list(found, "effects")):
        _value(item, len(shared))
    for name in ("arguments", "globals", "files"):
        _named(_list(found, name), len(shared))
    check(type(found.get("awaited", False)) is bool and type(found.get("value_is", "")) is str)
    for name in ("stdout", "stderr"):
        text_or_node = found.get(name, "")
        if isinstance(text_or_node, dict):
            _value(text_or_node, len(shared))
            check(text_or_node["kind"] in ("long", "str", "cut"))
        else:
            check(isinstance(text_or_node, str))
    return found


def _list(document: Json, name: str) -> list[Json]:
    check(type(document.get(name, [])) is list)
    return document.get(name, [])


def _named(pairs: Json, shared: int) -> None:
    check(type(pairs) is list)
    for pair in pairs:
        check(type(pair) is list and len(pair) == 2 and type(pair[0]) is str)
        _value(pair[1], shared)
    check(len({name for name, _ in pairs}) == len(pairs))


def _value(value: Json, shared: int) -> None:
    if not isinstance(value, dict):
        check(not isinstance(value, list))
        return
    check(isinstance(value.get("kind"), str))
    kind = KINDS.get(value["kind"])
    check(kind)
    assert kind is not None
    names = {name for name, _ in (*kind.fields, *kind.groups)}
    check(value.keys() - {"kind"} <= names <= value.keys() | kind.optional)
    for name, wanted in kind.fields:
        if name in value and wanted is tuple:
            check(type(value[name]) is list and all(type(n) is int and n >= 0 for n in value[name]))
        elif name in value:
            check(type(value[name]) is wanted)
    for name, shape in kind.groups:
        if name in value:
            _group(value[name], shape, shared)
    _particulars(value, shared)


def _group(group: Json, shape: str, shared: int) -> None:
    if shape == "node":
        _value(group, shared)
        return
    if shape == "named":
        _named(group, shared)
        return
    check(type(group) is list)
    for item in group:
        check(shape in ("nodes", "set") or (type(item) is list and len(item) == 2))
        for part in [item] if shape in ("nodes", "set") else item:
            _value(part, shared)


def _particulars(node: Json, shared: int) -> None:
    try:
        if node["kind"] in ("float", "complex"):
            check(all(repr(float(text)) == text for name, text in node.items() if name != "kind"))
        elif node["kind"] == "bytes":
            check(bytes.fromhex(node["hex"]).hex() == node["hex"])
        elif node["kind"] == "ref":
            check(0 <= node["to"] < shared)
        elif node["kind"] == "array":
            check(len({"data", "sha256", "items"} & node.keys()) == 1)
            if "data" in node:
                size = SIZES[node["layout"]] * math.prod(node["shape"])
                check(len(base64.b64decode(node["data"], validate=True)) == size)
    except (ValueError, KeyError) as error:
        raise WrongError from error


class Agreement:
    """Whether values of two observations agree; one is held against the other as a whole tree."""

    def __init__(self, expected: Json, observed: Json) -> None:
        self._tables = (expected.get("shared", []), observed.get("shared", []))

    def of(self, left: Json, right: Json, seen: frozenset[tuple[int, int]] = frozenset()) -> bool:
        """By bisimulation: a pair that is met within itself agrees."""
        if not isinstance(left, dict) or not isinstance(right, dict):
            return type(left) is type(right) and left == right
        left, right = self._referent(left, 0), self._referent(right, 1)
        if (id(left), id(right)) in seen:
            return True
        seen |= {(id(left), id(right))}
        if left["kind"] != right["kind"] or left.keys() != right.keys():
            return left["kind"] == right["kind"] == "opaque" and left["type"] == right["type"]
        kind = KINDS[left["kind"]]
        return all(
            self._field(left, right, name) for name, _ in kind.fields if name in left
        ) and all(
            self._group(left[name], right[name], shape, seen)
            for name, shape in kind.groups
            if name in left
        )

    def _referent(self, node: Json, side: int) -> Json:
        return self._tables[side][node["to"]] if node["kind"] == "ref" else node

    def _field(self, left: Json, right: Json, name: str) -> bool:
        old, new = left[name], right[name]
        if left["kind"] in ("float", "complex"):
            both = float(old), float(new)
            return math.isclose(*both, rel_tol=2.0**-43) or all(math.isnan(n) for n in both)
        if left["kind"] in ("opaque", "cut"):
            return name != "type" or old == new
        return type(old) is type(new) and old == new

    def _group(self, old: Json, new: Json, shape: str, seen: frozenset[tuple[int, int]]) -> bool:
        if shape == "node":
            return self.of(old, new, seen)
        if len(old) != len(new):
            return False
        if shape in ("nodes", "pairs"):
            return all(self._entry(a, b, shape, seen) for a, b in zip(old, new, strict=True))
        rest = list(new)
        for entry in old:
            fits = [n for n, e in enumerate(rest) if self._entry(entry, e, shape, seen)]
            if not fits:
                return False
            del rest[fits[0]]
        return not rest

    def _entry(self, old: Json, new: Json, shape: str, seen: frozenset[tuple[int, int]]) -> bool:
        if shape in ("nodes", "set"):
            return self.of(old, new, seen)
        if shape == "named":
            return old[0] == new[0] and self.of(old[1], new[1], seen)
        return self.of(old[0], new[0], seen) and self.of(old[1], new[1], seen)
