"""Likely invariants of a function's arguments: what all recorded calls share.

After Daikon (Ernst et al., IEEE TSE 2001): each candidate is checked against every call, and is
only accepted if chance would hardly make it hold.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Literal

from .recorded_calls import STATE, RecordedCall
from .value_sketches import UNSEEN, Sketch, sketch_of

Sign = Literal["", "positive", "non-negative"]
_LEAST_NUMBERS = 3
"""Distinct numbers required for a sign."""
_LEAST_LENGTHS = 3
"""Distinct lengths of collections required for the invariant that none is empty."""
_LEAST_TEXT_LENGTHS = 8
"""Least number of recorded texts, which is larger because tests forget the empty text."""
_LEAST_PAIRS = 4
"""Distinct pairs required for a relation."""
_LEAST_TEXTS = 6
_MOST_CHOICES = 4
_CHANCE = 0.01
"""Largest probability that a sorted order arose by chance."""


@dataclass(frozen=True, slots=True)
class ParameterDomain:
    """The properties that all recorded values of a parameter share."""

    name: str
    types: tuple[str, ...]
    """Names of the classes, sorted; `None` among them if it was passed."""
    items: tuple[str, ...] = ()
    """Classes of the items of collections, and of the values of dictionaries, sorted."""
    keys: tuple[str, ...] = ()
    """Classes of the keys of dictionaries, sorted."""
    sign: Sign = ""
    """Sign of all numbers, including those in collections."""
    is_filled: bool = False
    """Whether no collection or text was empty."""
    is_sorted: bool = False
    """Whether all collections were sorted."""
    choices: tuple[str, ...] = ()
    """All texts that were passed, if they are few and each was repeated; sorted."""

    def refusal(self, value: Sketch) -> str:
        """Return the invariant that a value breaks; empty if none."""
        if not value.type or not self.types:
            return ""
        if value.type not in self.types and not _is_number_among(value.type, self.types):
            return f"a {value.type}, not {' or '.join(self.types)}"
        if self.items and (odd := _others(value.items, self.items)):
            return f"an item is a {odd}, not {' or '.join(self.items)}"
        if self.keys and (odd := _others(value.keys, self.keys)):
            return f"a key is a {odd}, not {' or '.join(self.keys)}"
        if self.is_filled and value.length == 0:
            return "it is empty"
        if self.sign and not all(has_sign(n, self.sign) for n in numbers_in(value)):
            return f"it is not {self.sign}"
        if self.is_sorted and in_order(value) is False:
            return "it is not sorted"
        if self.choices and isinstance(value.value, str) and value.value not in self.choices:
            return f"it is none of {', '.join(self.choices)}"
        return ""


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between two parameters that holds in all recorded calls."""

    kind: Literal["equal lengths", "less", "at most", "member"]
    left: str
    right: str

    def holds(self, left: Sketch, right: Sketch) -> bool | None:
        """Whether the relation holds for two values; `None` if unknown."""
        return _RELATIONS[self.kind](left, right)


@dataclass(frozen=True, slots=True)
class Domain:
    """The likely invariants of a function's arguments, from recorded calls."""

    calls: int = 0
    """Number of distinct calls behind it."""
    parameters: tuple[ParameterDomain, ...] = ()
    relations: tuple[Relation, ...] = ()

    def of(self, name: str) -> ParameterDomain | None:
        """Return what is known of a parameter; `None` if it was never passed."""
        return next((each for each in self.parameters if each.name == name), None)

    def widened(self, kinds: Mapping[str, Iterable[str]]) -> Domain:
        """Return the domain with further classes allowed for some parameters."""
        wider = (
            replace(each, types=tuple(sorted({*each.types, *kinds.get(each.name, ())})))
            if each.types
            else each
            for each in self.parameters
        )
        return replace(self, parameters=tuple(wider))

    def attained(self, calls: Sequence[Mapping[str, str]]) -> Domain:
        """Return the domain without parameters for which no call has a value in the domain.

        Their invariants cannot be met with the available values.

        Args:
            calls: calls, each mapping parameters to expressions.
        """
        made = {
            each.name
            for each in self.parameters
            if not any(each.name in given for given in calls)
            or any(
                not each.refusal(sketch_of(given[each.name]))
                for given in calls
                if each.name in given
            )
        }
        return replace(self, parameters=tuple(p for p in self.parameters if p.name in made))

    def refusal(self, arguments: Mapping[str, str]) -> str:
        """Return the invariant that a call breaks, in a few words; empty if none.

        Args:
            arguments: maps parameters to expressions; missing ones are not checked.
        """
        values = {name: sketch_of(text) for name, text in arguments.items()}
        for each in self.parameters:
            broken = each.refusal(values.get(each.name, UNSEEN))
            if broken:
                return f"{each.name}: {broken}"
        for relation in self.relations:
            left, right = (values.get(n, UNSEEN) for n in (relation.left, relation.right))
            if relation.holds(left, right) is False:
                return f"{relation.left} and {relation.right}: not {relation.kind}"
        return ""


def domain_of(calls: Iterable[RecordedCall]) -> Domain:
    """Return the invariants of all recorded calls of one function."""
    is_cut: dict[tuple[tuple[str, str], ...], bool] = {}
    made: dict[str, list[Sketch]] = {}
    for call in calls:
        is_cut[call.arguments] = call.is_cut
        for name, text in constructor_keywords(call.receiver).items():
            made.setdefault(name, []).append(sketch_of(text))
    rows = list(is_cut)
    values = [{name: sketch_of(text) for name, text in row} for row in rows]
    whole = [row for row, cut in zip(values, is_cut.values(), strict=True) if not cut]
    names = tuple(dict.fromkeys(name for row in values for name in row))
    parameters = (_parameter(name, [row[name] for row in values if name in row]) for name in names)
    receivers = (_parameter(name, seen) for name, seen in made.items())
    found = tuple(each for each in (*parameters, *receivers) if each.types)
    # the length of a truncated text says nothing about other arguments
    return Domain(len(rows), found, tuple(_relations(names, whole)))


def constructor_keywords(receiver: str) -> dict[str, str]:
    """Return the keyword arguments of an instance's constructor, as `self.name`."""
    try:
        node = ast.parse(receiver or "None", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    given = node.keywords if isinstance(node, ast.Call) else []
    return {f"self.{k.arg}": ast.unparse(k.value) for k in given if k.arg not in (None, STATE)}


def _parameter(name: str, values: Sequence[Sketch]) -> ParameterDomain:
    if any(not value.type for value in values):  # an unknown value may be anything
        return ParameterDomain(name, ())
    types = _types(values)
    lengths = [length for value in values if (length := value.length) is not None]
    numbers = {number for value in values for number in numbers_in(value)}
    return ParameterDomain(
        name,
        types,
        _types(item for value in values for item in value.items),
        _types(key for value in values for key in value.keys),
        _sign(numbers),
        len(set(lengths)) >= (_LEAST_TEXT_LENGTHS if "str" in types else _LEAST_LENGTHS)
        and min(lengths) > 0,
        _is_sorted(values),
        _choices(values),
    )


def _types(values: Iterable[Sketch]) -> tuple[str, ...]:
    """Return the classes of values; none if one is unknown."""
    found = {value.type for value in values}
    return () if "" in found else tuple(sorted(found))


def _is_number_among(name: str, types: Sequence[str]) -> bool:
    """Whether an integer is acceptable among these types; a boolean is no number."""
    return name == "int" and "float" in types


def _others(values: Iterable[Sketch], types: Sequence[str]) -> str:
    """Return the first class that is not among the types."""
    named = (value.type for value in values if value.type)
    return next((n for n in named if n not in types and not _is_number_among(n, types)), "")


def numbers_in(value: Sketch) -> Iterator[int | float]:
    """Yield the number that a value is, and those inside."""
    if value.number is not None and not math.isnan(value.number):
        yield value.number
    for item in value.items:
        yield from numbers_in(item)


def _sign(numbers: Iterable[int | float]) -> Sign:
    known = set(numbers)
    if len(known) < _LEAST_NUMBERS or not all(number >= 0 for number in known):
        return ""
    return "positive" if all(number > 0 for number in known) else "non-negative"


def has_sign(number: float, sign: Sign) -> bool:
    """Whether a number has that sign."""
    return number > 0 if sign == "positive" else number >= 0


def in_order(value: Sketch) -> bool | None:
    """Whether a collection of literals is sorted; `None` if unknown."""
    if value.type not in ("list", "tuple") or len(value.items) < 2:
        return None
    if len({item.type for item in value.items}) > 1 or value.items[0].type not in (
        "int",
        "float",
        "str",
    ):
        return None
    given = [item.value for item in value.items]
    return given == sorted(given)  # pyright: ignore[reportArgumentType, reportCallIssue]


def _is_sorted(values: Sequence[Sketch]) -> bool:
    """Whether all collections are sorted, and chance would hardly sort them."""
    orders = [(in_order(value), value) for value in values]
    if not all(order is not False for order, _ in orders):
        return False
    distinct = {value for order, value in orders if order}
    chance = math.prod(1 / math.factorial(min(len(value.items), 20)) for value in distinct)
    return chance < _CHANCE


def _choices(values: Sequence[Sketch]) -> tuple[str, ...]:
    texts = [value.value for value in values if isinstance(value.value, str)]
    known = sorted(set(texts))
    is_few = len(texts) >= _LEAST_TEXTS and 1 < len(known) <= _MOST_CHOICES
    return tuple(known) if is_few and all(texts.count(text) > 1 for text in known) else ()


# ------------------------------------------------------------------------------- relations


def _equal_lengths(left: Sketch, right: Sketch) -> bool | None:
    sizes = (left.length, right.length)
    are_collections = left.value is None and right.value is None
    return sizes[0] == sizes[1] if are_collections and None not in sizes else None


def _less(left: Sketch, right: Sketch) -> bool | None:
    one, other = left.number, right.number
    return None if one is None or other is None else one < other


def _at_most(left: Sketch, right: Sketch) -> bool | None:
    one, other = left.number, right.number
    return None if one is None or other is None else one <= other


def _member(left: Sketch, right: Sketch) -> bool | None:
    if not left.is_literal or right.length is None or right.value is not None:
        return None
    known = right.keys if right.type == "dict" else right.items
    return left in known if all(item.is_literal for item in known) else None


_RELATIONS: dict[str, Callable[[Sketch, Sketch], bool | None]] = {
    "equal lengths": _equal_lengths,
    "less": _less,
    "at most": _at_most,
    "member": _member,
}


def _relations(names: Sequence[str], values: Sequence[Mapping[str, Sketch]]) -> Iterator[Relation]:
    for left, right in permutations(names, 2):
        rows = [(row[left], row[right]) for row in values if left in row and right in row]
        for kind in ("equal lengths", "less", "at most", "member"):
            if kind == "equal lengths" and left > right:  # the relation is symmetric
                continue
            relation = Relation(kind, left, right)
            if _is_believed(relation, rows):
                yield relation
                break


def _is_believed(relation: Relation, rows: Sequence[tuple[Sketch, Sketch]]) -> bool:
    decided = {row: holds for row in rows if (holds := relation.holds(*row)) is not None}
    if len(decided) < _LEAST_PAIRS or not all(decided.values()):
        return False
    if relation.kind == "equal lengths":
        return len({left.length for left, _ in decided}) >= _LEAST_NUMBERS
    rights = {right for _, right in decided}
    return len({left for left, _ in decided}) > 1 and len(rights) > 1
