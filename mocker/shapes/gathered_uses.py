"""The uses of a value, sorted by what they state about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import cast

from ..flow import NO_USES, Fact, FlowQuery, Label, Uses

_BUILTIN = {
    "builtins.str": "str", "builtins.int": "int", "builtins.float": "number",
    "builtins.list": "list", "builtins.tuple": "list", "builtins.dict": "dict",
    "builtins.bool": "bool", "builtins.bytes": "bytes", "builtins.set": "list",
}  # fmt: skip


@dataclass(slots=True)
class GatheredUses:
    """The uses of a value, sorted by what they state about it."""

    facts: tuple[Fact, ...]
    follower: FlowQuery | None = None
    keys: dict[object, Uses] = field(default_factory=dict[object, Uses])
    attributes: dict[str, Uses] = field(default_factory=dict[str, Uses])
    calls: list[tuple[Label, Uses]] = field(default_factory=list[tuple[Label, Uses]])
    parsed: dict[tuple[object, ...], Uses] = field(default_factory=dict[tuple[object, ...], Uses])
    item: Uses = NO_USES
    value: Uses = NO_USES
    has_value: bool = False
    is_iterated: bool = False
    has_unknown_key: bool = False
    has_text_key: bool = False
    """Whether an unknown key is a text."""

    def types(self) -> list[str]:
        """Return the names of types that the value must have, the certain ones first."""
        found = [f for f in self.facts if f.kind == "type" and isinstance(f.value, str)]
        names = [cast("str", f.value) for f in sorted(found, key=lambda f: f.is_weak)]
        return names + [name for f in self.facts for name in self._tested(f)]

    def _tested(self, fact: Fact) -> list[str]:
        if fact.kind != "isinstance" or self.follower is None or not fact.value:
            return []
        first = cast("tuple[str, ...]", fact.value)[0]
        if self.follower.preferred_outcome(fact) is not True:
            return []
        if first.rpartition(".")[2] in ("Callable", "FunctionType"):
            return ["callable"]
        return [_BUILTIN.get(first) or f"instance {first}"]

    def instances(self) -> list[str]:
        """Return the dotted names of classes whose instance the value is stated to be."""
        return [t.removeprefix("instance ") for t in self.types() if t.startswith("instance ")]

    def has(self, kind: str) -> bool:
        """Whether there is a fact of the kind."""
        return any(fact.kind == kind for fact in self.facts)


def gather(uses: Uses) -> GatheredUses:
    """Sort the uses of a value."""
    found = GatheredUses(uses.facts, uses.follower)
    unknown = NO_USES
    for label, below in uses.below.items():
        match label:
            case ("key", key):
                found.keys[key] = below
            case ("attr", str(name)):
                found.attributes[name] = below
            case ("call", *_):
                found.calls.append((label, below))
            case ("item",):
                found.item = merged(found.item, below)
                found.is_iterated = True
            case ("value",):
                found.value = merged(found.value, below)
                found.has_value = True
            case ("sub", *kinds):
                unknown = merged(unknown, below)
                found.has_unknown_key = True
                found.has_text_key = found.has_text_key or bool(kinds)
            case ("parse", *form):
                found.parsed[tuple(form)] = below
            case _:
                found.has_value = found.has_value or label[0] == "name"
    if found.has_unknown_key:
        found.has_value = found.has_value or found.has_text_key
        if found.has_value or any(isinstance(key, str) for key in found.keys):
            found.value = merged(found.value, unknown)
        else:
            found.item = merged(found.item, unknown)
    return found


def merged(first: Uses, second: Uses) -> Uses:
    """Return the uses of a value that is used in both ways."""
    if not first or first is second:
        return second or first
    if not second:
        return first
    below = dict(first.below)
    for label, uses in second.below.items():
        below[label] = merged(below[label], uses) if label in below else uses
    weak = first.is_weak and second.is_weak
    return Uses(
        (*first.facts, *second.facts),
        below,
        first.follower or second.follower,
        weak,
        tuple(dict.fromkeys((*first.attempts, *second.attempts))),
    )


def all_merged(several: Iterable[Uses]) -> Uses:
    """Merge several uses into one."""
    found = NO_USES
    for uses in several:
        found = merged(found, uses)
    return found
