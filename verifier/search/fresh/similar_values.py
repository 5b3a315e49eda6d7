"""Other values of the same type, near those that are known to work.

A number stays a number of its sign and size, a text a text with the same kind of parts, and a list
keeps the kinds of its items. Characters in which right implementations often differ, such as those
with unusual case rules, are not brought in.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from ..drafts.code_literals import CodeLiterals
from ..drafts.draft_trees import constant
from ..variation.text_breadth import numbered, texts

_Value = TypeVar("_Value", int, float, str, bytes)
_LONGEST = 400
"""Longest text in characters."""
_MOST_ITEMS = 40
_PLAIN = (
    "text: other number", "text: number for word", "text: separator", "text: other word",
    "text: word", "text: twice", "text: shorter", "text: plural", "text: without its head",
    "text: mined", "text: only separator", "text: other zone",
)  # fmt: skip
"""Tags of changes to the parts of a text. What changes characters is left out."""
_LARGER = 3
"""Largest factor on the largest number that is known."""


@dataclass(frozen=True, slots=True)
class KnownValues:
    """Values that stand at the same place in other cases, and literals of the code."""

    at_place: Mapping[str, tuple[object, ...]]
    """By place: a parameter, a key of a mapping, an attribute."""
    literals: CodeLiterals


def similar_value(node: ast.expr, place: str, known: KnownValues, random: Random) -> ast.expr:
    """Return another expression of the same type; the same where there is none.

    Args:
        node: a literal, or a display of a list, tuple, set or dictionary.
        place: where it stands.
        known: what values are made from.
        random: makes the choices.
    """
    match node:
        case ast.Constant(value=bool() as value):
            return constant(not value)
        case ast.Constant(value=int() | float() as value):
            return constant(_number(value, place, known, random))
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return constant(_number(-value, place, known, random))
        case ast.Constant(value=str() as value):
            return constant(_text(value, place, known, random))
        case ast.Constant(value=bytes() as value):
            return constant(_binary(value, place, known, random))
        case ast.Tuple(elts=items):
            return ast.Tuple(_with_one_changed(items, place, known, random), ast.Load())
        case ast.List(elts=items):
            return ast.List(_items(items, place, known, random), ast.Load())
        case ast.Set(elts=items):
            return ast.Set(_items(items, place, known, random) or items)
        case ast.Dict(keys=keys, values=values):
            pairs = _pairs(list(zip(keys, values, strict=True)), place, known, random)
            return ast.Dict([key for key, _ in pairs], [value for _, value in pairs])
        case _:
            return node


def is_varied(node: ast.AST) -> bool:
    """Whether there are other values like this one."""
    match node:
        case ast.Constant(value=value):
            return value is not None and value is not ... and not isinstance(value, complex)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
            return True
        case ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
            return True
        case _:
            return False


def _known(kind: type[_Value], place: str, known: KnownValues) -> list[_Value]:
    return [each for each in known.at_place.get(place, ()) if type(each) is kind]


def _number(value: float, place: str, known: KnownValues, random: Random) -> float:
    if isinstance(value, float):
        return _real(value, place, known, random)
    others = _known(int, place, known)
    low = min((0, value, *others))
    high = max((10, _LARGER * value, *(_LARGER * each for each in others)))
    mined = [n for n in known.literals.numbers if type(n) is int and low <= n <= high]
    made: list[Callable[[], int]] = [
        lambda: value + random.choice((1, 2, 3)),
        lambda: value - random.choice((1, 2)),
        lambda: random.randint(min(low, 0), high),
    ]
    if others:
        made.append(lambda: random.choice(others))
    if mined:
        made.append(lambda: random.choice(mined) + random.choice((-1, 0, 1)))
    found = random.choice(made)()
    return max(low, min(high, found))


def _real(value: float, place: str, known: KnownValues, random: Random) -> float:
    others = [each for each in _known(float, place, known) if abs(each) < 1e15]
    low, high = min((0.0, value, *others)), max((1.0, value, *others))
    mined = [float(n) for n in known.literals.numbers if low <= n <= high]
    made: list[Callable[[], float]] = [
        lambda: value + 0.5,
        lambda: value * 1.5,
        lambda: round(random.uniform(low, high), 2),
    ]
    if others:
        made.append(lambda: random.choice(others))
    if mined:
        made.append(lambda: random.choice(mined) + 0.25)
    found = random.choice(made)()
    return found if low <= found <= _LARGER * high else value


def _text(value: str, place: str, known: KnownValues, random: Random) -> str:
    others = [each for each in _known(str, place, known) if len(each) <= _LONGEST]
    if others and random.random() < 0.45:
        return random.choice(others)
    base = random.choice(others) if others and random.random() < 0.5 else value
    made = [text for tag, text in texts(base, known.literals) if tag.startswith(_PLAIN)]
    if random.random() < 0.3 or not made:
        return numbered(base, random.randint(1, 40))
    return random.choice(made)


def _binary(value: bytes, place: str, known: KnownValues, random: Random) -> bytes:
    others = [each for each in _known(bytes, place, known) if len(each) <= _LONGEST]
    return random.choice((value[:-1], value + value[:1], value[::-1], value * 2, *others))


def _items(
    items: Sequence[ast.expr], place: str, known: KnownValues, random: Random
) -> list[ast.expr]:
    """Return other items: fewer, in another order, or more like those that are there."""
    if not items or len(items) > _MOST_ITEMS:
        return list(items)

    at = random.randrange(len(items))
    match random.choice(("drop", "repeat", "more", "more", "turn", "mix", "other")):
        case "drop":
            return [each for index, each in enumerate(items) if index != at]
        case "repeat":
            return [*items, copy.deepcopy(items[at])]
        case "more":
            return [*items[:at], _like(items[at], place, known, random), *items[at:]]
        case "turn":
            return list(items[::-1])
        case "mix":
            mixed = list(items)
            random.shuffle(mixed)
            return mixed
        case _:
            return _with_one_changed(items, place, known, random)


def _with_one_changed(
    items: Sequence[ast.expr], place: str, known: KnownValues, random: Random
) -> list[ast.expr]:
    """Return the items with one of them varied at its place, which in a tuple has a meaning."""
    chosen = random.randrange(len(items)) if items else -1
    return [
        _like(each, place, known, random) if at == chosen else each for at, each in enumerate(items)
    ]


def _like(item: ast.expr, place: str, known: KnownValues, random: Random) -> ast.expr:
    made = copy.deepcopy(item)
    return similar_value(made, place, known, random) if is_varied(made) else made


_Pair = tuple[ast.expr | None, ast.expr]


def _pairs(pairs: list[_Pair], place: str, known: KnownValues, random: Random) -> list[_Pair]:
    """Return other entries of a mapping: in another order, or one more."""
    if not pairs or len(pairs) > _MOST_ITEMS:
        return pairs
    key, value = random.choice(pairs)
    if not isinstance(key, ast.Constant) or random.random() < 0.3:
        return pairs[::-1]
    other = similar_value(key, f"{place} key", known, random)
    return [*pairs, (other, _like(value, place, known, random))]
