"""Texts for each form that a regular expression tells apart, and texts that nearly have one.

Each alternative is taken, each part that is optional is left out, each repetition is shorter and
longer, and of each set of characters each end and each sign is there: pairwise testing's one factor
at a time (Cohen et al., "The AETG system", IEEE TSE 1997), over the choices of the syntax tree.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice, zip_longest
from typing import Any, cast

# the tree that `re` compiles is of a module without types
_parser = cast("Any", importlib.import_module("re._parser"))
_MOST = 48
_MOST_NEAR = 24
_MOST_OF_CLASS = 10
_REPEATS = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})
_CATEGORIES = {
    "CATEGORY_DIGIT": "109", "CATEGORY_WORD": "aZ9_", "CATEGORY_SPACE": " \t",
    "CATEGORY_NOT_DIGIT": "a-", "CATEGORY_NOT_WORD": "-.", "CATEGORY_NOT_SPACE": "a-",
}  # fmt: skip
_SOURCES = {
    "CATEGORY_DIGIT": r"\d", "CATEGORY_WORD": r"\w", "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_DIGIT": r"\D", "CATEGORY_NOT_WORD": r"\W", "CATEGORY_NOT_SPACE": r"\S",
}  # fmt: skip
_ANY = "a-9"
_Path = tuple[int, ...]


@lru_cache(maxsize=256)
def forms(pattern: str) -> tuple[str, ...]:
    """Texts in which the pattern is found, each by other choices, among texts that are close.

    The first one is the plainest. There is none for what is no pattern, or has no choices.
    """
    try:
        tree = list(cast("Iterable[Any]", _parser.parse(pattern)))
        compiled = re.compile(pattern)
        texts = [text for text in _by_choices(tree) if compiled.search(text)]
    except (re.error, OverflowError, RecursionError, ValueError):
        return ()
    found = dict.fromkeys(texts)
    if len(found) < 2:
        return ()
    close = (*_broken(tree), *_near(list(found)))
    near = (text for text in close if text not in found)
    mixed = zip_longest(found, islice(dict.fromkeys(near), _MOST_NEAR))
    return tuple(islice((text for two in mixed for text in two if text is not None), _MOST))


def _near(texts: list[str]) -> Iterator[str]:
    """A text without its end, its first half, with its end twice, with something in front of it."""
    for text in texts:
        yield text[:-1]
        yield text[: len(text) // 2]
        yield text + text[-1:]
        yield from (f"{sign}{text}" for sign in ("-+" if text[:1].isdigit() else "x"))
        yield from (f"+{text[1:]}",) if text[:1] == "-" else ()


def _broken(tree: list[Any]) -> Iterator[str]:
    """The plainest text, and in one place each what the pattern does not take there."""
    plain = _Choices({})
    _text(tree, plain, ())
    for path in plain.counts:
        yield _text(tree, _Choices({}, broken=path), ())


def _by_choices(tree: list[Any]) -> Iterator[str]:
    """The text of the first choices; then each choice made otherwise, and what that opens up."""
    seen = set[_Path]()
    todo: list[dict[_Path, int]] = [{}]
    for made in todo:
        choices = _Choices(made)
        yield _text(tree, choices, ())
        opened = {path: count for path, count in choices.counts.items() if path not in seen}
        seen |= opened.keys()
        others = ({**made, path: n} for path, count in opened.items() for n in range(1, count))
        todo += islice(others, 2 * _MOST - len(todo))


class _Choices:
    """Which of its possibilities each place of a pattern has, and how many there are."""

    def __init__(self, made: dict[_Path, int], broken: _Path | None = None) -> None:
        self._made = made
        self.broken = broken
        self.counts: dict[_Path, int] = {}
        self.groups: dict[int, str] = {}

    def of(self, path: _Path, count: int, turn: int = 0) -> int:
        """The number of the possibility that is chosen there; `turn` says where one begins."""
        self.counts[path] = count
        return (self._made.get(path, 0) + turn) % count


def _text(items: Iterable[Any], choices: _Choices, path: _Path, turn: int = 0) -> str:
    return "".join(
        _part(str(operator), value, choices, (*path, at), turn)
        for at, (operator, value) in enumerate(items)
    )


def _part(operator: str, given: object, choices: _Choices, path: _Path, turn: int) -> str:
    value = cast("Any", given)
    if operator in _REPEATS:
        low, high, inner = int(value[0]), int(value[1]), value[2]
        counts = [n for n in (max(low, min(high, 1)), low, low + 1, 3) if low <= n <= high]
        counts = list(dict.fromkeys(counts))
        count = counts[choices.of(path, len(counts))]
        return "".join(_text(inner, choices, (*path, n), n) for n in range(count))
    match operator:
        case "LITERAL":
            return chr(value)
        case "NOT_LITERAL":
            return "a" if value != ord("a") else "b"
        case "ANY":
            return _ANY[choices.of(path, len(_ANY), turn)]
        case "IN":
            members = _members(value)
            chosen = members[choices.of(path, len(members), turn)]
            return _other_sign(value) if path == choices.broken else chosen
        case "SUBPATTERN":
            text = _text(value[3], choices, path, turn)
            if value[0] is not None:
                choices.groups[value[0]] = text
            return text
        case "BRANCH":
            chosen = choices.of(path, len(value[1]))
            text = _text(value[1][chosen], choices, (*path, chosen), turn)
            return text[:-1] + "q" if path == choices.broken else text
        case "GROUPREF":
            return choices.groups.get(value, "")
        case "ATOMIC_GROUP":
            return _text(value, choices, path, turn)
        case _:
            return ""  # positions and what is looked at around them


def _members(items: list[tuple[Any, Any]]) -> str:
    """Characters of a set: the signs that it lists, and the ends of its ranges."""
    found = "".join(_listed(str(operator), value) for operator, value in items)
    if str(items[0][0]) == "NEGATE":
        return "".join(c for c in "a1-Z ._" if c not in found)[:3] or "~"
    ranges = "".join(
        _listed(str(operator), value) for operator, value in items if str(operator) != "LITERAL"
    )
    return "".join(dict.fromkeys(ranges[:3] + found))[:_MOST_OF_CLASS] or "a"


def _other_sign(items: list[tuple[Any, Any]]) -> str:
    """A character that the set does not hold, of the kind of those that it does."""
    found = _members(items)
    near = [c for c in "sx7-. Q" if not any(_holds(str(o), v, c) for o, v in items)]
    if str(items[0][0]) == "NEGATE":
        near = [c for o, v in items[1:] for c in _listed(str(o), v)]
    alike = [c for c in near if c.isalpha() == found[:1].isalpha()]
    return next(iter((*alike, *near)), "~")


def _holds(operator: str, given: object, sign: str) -> bool:
    value = cast("Any", given)
    match operator:
        case "LITERAL":
            return chr(value) == sign
        case "RANGE":
            return value[0] <= ord(sign) <= value[1]
        case "CATEGORY":
            return re.match(_SOURCES.get(str(value), "."), sign) is not None
        case _:
            return False


def _listed(operator: str, given: object) -> str:
    value = cast("Any", given)
    match operator:
        case "LITERAL":
            return chr(value)
        case "RANGE":
            low, high = value
            inside = [c for c in "1aA" if low <= ord(c) <= high]
            return "".join(dict.fromkeys((*inside, chr(low), chr(high))))
        case "CATEGORY":
            return _CATEGORIES.get(str(value), "a")
        case _:
            return ""
