"""Boundary values: on both sides of the signs, texts, numbers and classes that a target names.

Other variations are the same for all code. Here each literal of the target is met exactly, beside
it and in other forms, one at a time: a wrong version that treats one literal otherwise differs
nowhere else.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, cast

from ....mocker.shapes.texts.pattern_matches import parsed
from ...mutation.mutated_block import Function
from ..drafts.code_literals import words_of

_BLANK_METHODS = frozenset("strip lstrip rstrip split rsplit isspace splitlines expandtabs".split())
_LINE_METHODS = frozenset("splitlines readline readlines".split())
_BLANKS = " \t\n\r\v\f\u00a0\u2003\x85\u2028"
_LINE_ENDS = ("\n", "\r", "\r\n", "\f", "\x85", "\u2028")
_CLASS_EDGES = ("_", "é")
"""Characters that some character classes include and others do not."""
_LAST = 0x10FFFF
_LARGEST = 1e300
"""Largest number that is converted to a float."""
_SIGN = 2
"""Longest text, in characters, that is a sign rather than a word."""
_MOST_SIGNS = 16
_MOST_WORDS = 12
_MOST_NUMBERS = 12
_MOST_TOGETHER = 7
_NEIGHBOURS = {
    "bytes": ("bytearray({it})", "memoryview({it})"),
    "str": ("type('Text', (str,), {{}})({it})",),
    "list": ("tuple({it})",), "tuple": ("list({it})",),
    "set": ("frozenset({it})", "list({it})"),
    "dict": ("__import__('collections').OrderedDict({it})", "list({it}.items())"),
    "int": ("float({it})", "bool({it})"), "float": ("int({it})",), "bool": ("int({it})",),
}  # fmt: skip
"""Kind → the same value in a neighbouring class."""


@dataclass(frozen=True, slots=True)
class Edges:
    """The literals and classes that a function names; their neighbours are tried."""

    signs: tuple[str, ...]
    """Texts of one or two characters; blanks and line ends if the function distinguishes them."""
    words: tuple[str, ...]
    numbers: tuple[int | float, ...]
    binary: tuple[bytes, ...]


def edges_of(functions: Sequence[Function]) -> Edges:
    """Return the edges that the text of some functions names."""
    words = words_of(functions)
    nodes = [node for each in functions for node in ast.walk(each)]
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    called = {each.func.attr for each in calls if isinstance(each.func, ast.Attribute)}
    bare = {e.func.attr for e in calls if isinstance(e.func, ast.Attribute) and not e.args}
    signs = dict.fromkeys(each for each in words.texts if 0 < len(each) <= _SIGN)
    signs.update(dict.fromkeys(words.characters))
    for node in nodes:
        match node:
            case ast.Call(
                func=ast.Attribute(attr="strip" | "lstrip" | "rstrip"),
                args=[ast.Constant(value=str() as among)],
            ):
                signs.update(dict.fromkeys(among))
            case _:
                pass
    for pattern in words.patterns:
        signs.update(dict.fromkeys(_signs_in(pattern)))
    has_blanks = bool(bare & _BLANK_METHODS) or any(r"\s" in each for each in words.patterns)
    if has_blanks:
        signs.update(dict.fromkeys(_BLANKS))
    if called & _LINE_METHODS or any("\n" in each for each in words.texts):
        signs.update(dict.fromkeys(_LINE_ENDS))
    whole = (each for each in words.texts if len(each) > _SIGN)
    return Edges(
        tuple(signs)[: _MOST_SIGNS + len(_BLANKS)],
        tuple(whole)[:_MOST_WORDS],
        tuple(n for n in words.numbers if abs(n) < _LARGEST)[:_MOST_NUMBERS],
        words.binary[:_MOST_WORDS],
    )


NO_EDGES = Edges((), (), (), ())


def _signs_in(pattern: str) -> Iterator[str]:
    """Yield the signs that a pattern names, and those beside its ranges."""
    try:
        found = list(_characters(parsed(pattern)))
    except (re.error, OverflowError, RecursionError):
        return
    yield from (each for each in found if not each.isalnum())
    if "[" in pattern:
        yield from _CLASS_EDGES


def _characters(node: Any) -> Iterator[str]:  # noqa: ANN401 - the tree of a module without types
    match node:
        case (operator, int() as code) if str(operator) in {"LITERAL", "NOT_LITERAL"}:
            yield chr(code)
        case (operator, (int() as low, int() as high)) if str(operator) == "RANGE":
            yield from (chr(max(low - 1, 0)), chr(min(high + 1, _LAST)))
        case tuple() | list():
            for inner in cast("Iterable[Any]", node):
                yield from _characters(inner)
        case _:
            yield from _characters(getattr(node, "data", ()))


def boundary_values(edges: Edges, value: object) -> Iterator[tuple[str, object]]:
    """Yield values of the same kind at the edges, each with a tag."""
    match value:
        case bool():
            return
        case str():
            yield from _texts(edges, value)
        case bytes():
            for sign in (
                *edges.binary,
                *(each.encode("utf-8", "surrogatepass") for each in edges.signs),
            ):
                for at, made in enumerate((sign, sign + value, value + sign, value + sign + value)):
                    yield f"{sign!r} {at}", made
        case int() | float():
            for number in edges.numbers:
                for made in (number, number + 1, number - 1, -number):
                    yield f"{number} {made}", type(value)(made)
                if isinstance(value, float):
                    yield f"{number} above", number + 0.005
                    yield f"{number} below", number - 0.005
        case _:
            return


def _texts(edges: Edges, value: str) -> Iterator[tuple[str, str]]:
    kept = value or "ab"
    half = len(kept) // 2 or 1
    made: list[list[tuple[str, str]]] = []
    for sign in edges.signs:
        forms = (
            f"{kept[:half]}{sign}{kept[half:]}", f"{kept}{sign}", f"{sign}{kept}", sign,
            f"{kept}{sign}x1{sign}y2", f"{kept}{sign}{sign}x1", f"{kept} {sign} x1",
        )  # fmt: skip
        made.append([(f"{sign!r} {at}", each) for at, each in enumerate(forms)])
    for word in edges.words:
        forms = (
            word, word.upper(), word.title(), f" {word} ", word[:-1], f"{word}x", f"x{word}",
            f"{word}\n", f"{kept} {word}", f"{kept}{word}{kept}", word.lower(),
        )  # fmt: skip
        made.append([(f"{word!r} {at}", each) for at, each in enumerate(forms)])
    for form in range(max(map(len, made), default=0)):
        yield from (of[form] for of in made if form < len(of))


def neighbours(kind: str, text: str) -> Iterator[str]:
    """Yield expressions for a value in neighbouring classes."""
    yield from (form.format(it=text) for form in _NEIGHBOURS.get(kind, ()))


def neighbour_kinds(kinds: Iterable[str]) -> frozenset[str]:
    """Return the names that sketches give to these classes."""
    forms = (form for kind in kinds for form in _NEIGHBOURS.get(kind, ()))
    return frozenset(form.partition("(")[0] for form in forms)


def together(edges: Edges) -> Iterator[tuple[int, int]]:
    """Yield pairs of integers that the function names, or integers beside them."""
    whole = (number for number in edges.numbers if isinstance(number, int))
    near = dict.fromkeys(number + step for number in whole for step in (0, 1, -1))
    some = list(near)[:_MOST_TOGETHER]
    yield from product(some, some)
