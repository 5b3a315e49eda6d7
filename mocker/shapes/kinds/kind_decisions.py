"""Decides the kind of a value by its uses."""

from __future__ import annotations

from typing import Literal, cast

from ...flow import Fact
from ..gathered_uses import GatheredUses
from .known_methods import BYTES, DEQUE, MAPPING, NUMBER, SEQUENCE, SET, TEXT


def _own(known: GatheredUses, *tables: frozenset[str]) -> set[str]:
    names = set(known.attributes)
    for table in tables:
        names -= table
    return names


def is_object(known: GatheredUses) -> bool:
    """Whether no plain value would do."""
    return bool(
        known.calls
        or _own(known, MAPPING, SEQUENCE, TEXT, BYTES, NUMBER)
        or known.has("entered")
        or any(_mentions(fact, "assigned") for fact in known.facts)
        or _is_waited_for(known)
    )


def _is_waited_for(known: GatheredUses) -> bool:
    """Whether the result of a method is awaited, which plain values do not support."""
    return any(
        label[0] == "call" and any(fact.kind == "awaited" for fact in uses.facts)
        for below in known.attributes.values()
        for label, uses in below.below.items()
    )


def _mentions(fact: Fact, word: str) -> bool:
    return (
        fact.kind == "argument"
        and isinstance(fact.value, tuple)
        and cast("tuple[object, ...]", fact.value)[0] == word
    )


def is_record(known: GatheredUses) -> bool:
    """Whether a value is tested and read as a dictionary, before a class is made of it."""
    return "dict" in known.types() and any(isinstance(key, str) for key in known.keys)


def is_mapping(known: GatheredUses) -> bool:
    """Whether a value is used as a dictionary."""
    types = known.types()
    if "dict" in types or known.has_value:
        return True
    if any(isinstance(key, str) for key in known.keys) or _is_filled(known):
        return True
    names = known.attributes.keys()
    if "get" in names or {"items", "setdefault"} & names:
        return not {"append", "strip", "split"} & names
    return False


def _is_filled(known: GatheredUses) -> bool:
    """Whether an item is stored or deleted under a text, or under a key tested before."""
    follower = known.follower
    if follower is None:
        return False
    tested: set[int] = set()
    for fact in known.facts:
        if fact.kind == "compare":
            sign, operand = cast("tuple[str, int]", fact.value)
            if sign in ("has", "has not"):
                tested |= follower.origins(operand)
    for fact in known.facts:
        if fact.kind == "stored":
            place = cast("int", fact.value)
            if any(isinstance(key, str) for key in follower.constants(place)):
                return True
            if tested & follower.origins(place):
                return True
    return False


def _is_place(known: GatheredUses, fact: Fact) -> bool:
    """Whether an item is stored or deleted at an integer position."""
    keys = known.follower.constants(cast("int", fact.value)) if known.follower else ()
    return bool(keys) and all(isinstance(key, int) for key in keys)


def is_sequence(known: GatheredUses) -> bool:
    """Whether a value is used as a list; call `is_mapping` first."""
    if known.parsed.keys() - {("len",), ("str",), ("frame",)}:
        return False
    types = known.types()
    if {"list", "set", "deque", "numbers", "array"} & set(types):
        return True
    if "str" in types or known.attributes.keys() & (TEXT - SEQUENCE):
        return False
    if known.has_unknown_key and not known.has("convert"):
        return True
    if any(fact.kind == "stored" and _is_place(known, fact) for fact in known.facts):
        return True
    return bool(
        known.is_iterated
        or known.keys
        or known.has("unpack")
        or ("frame",) in known.parsed
        or known.attributes.keys() & (SEQUENCE - TEXT)
        or (known.has("length") and not known.has("convert"))
    )


def type_of_sequence(known: GatheredUses) -> Literal["list", "set", "deque", "tuple"]:
    """Return the kind of sequence, by its facts and uses."""
    names, types = known.attributes.keys(), known.types()
    if "deque" in types or names & DEQUE:
        return "deque"
    is_changed = bool(names & {"append", "extend", "insert", "sort"})
    if "tuple" in types and not is_changed:
        return "tuple"
    has_places = bool(known.keys) or is_changed
    return "set" if ("set" in types or names & SET) and not has_places else "list"
