"""A text that a regular expression matches."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, cast

# the parser of `re` has no type stubs
_parser = cast("Any", importlib.import_module("re._parser"))
_CLASSES = {
    "CATEGORY_DIGIT": "1", "CATEGORY_WORD": "a", "CATEGORY_SPACE": " ",
    "CATEGORY_NOT_DIGIT": "a", "CATEGORY_NOT_WORD": "-", "CATEGORY_NOT_SPACE": "a",
}  # fmt: skip
Path = tuple[int, ...]
Class = list[tuple[Any, Any]]
"""A character set: operators and values."""


def parsed(pattern: str) -> list[Any]:
    """Return the syntax tree of a pattern.

    Raises:
        re.error, OverflowError, RecursionError: the pattern is invalid.
    """
    return list(cast("Iterable[Any]", _parser.parse(pattern)))


@lru_cache(maxsize=256)
def example(pattern: str) -> str | None:
    """Return a short text that contains a match; `None` if none is easily found."""
    try:
        text = PatternText().text(parsed(pattern))
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError, ValueError):
        return None
    for candidate in (text, f" {text} ", f"a {text} b", text.upper()):
        if compiled.fullmatch(candidate) or compiled.search(candidate):
            return candidate
    return None


class PatternText:
    """Writes a text for a pattern's syntax tree; by default with the plainest choices.

    Subclasses override the methods with a `path`: the positions of a node in the tree, from the
    outside in.
    """

    def __init__(self) -> None:
        self._groups: dict[int, str] = {}

    def text(self, items: Iterable[Any], path: Path = (), turn: int = 0) -> str:
        """Return the text of consecutive nodes, in the repetition of that number."""
        return "".join(
            self._part(str(operator), value, (*path, at), turn)
            for at, (operator, value) in enumerate(items)
        )

    def times(self, low: int, high: int, path: Path) -> int:
        """Return how often a node is repeated."""
        del path
        return max(low, min(high, 1))

    def any_sign(self, path: Path, turn: int) -> str:
        """Return a character for a place that takes any."""
        del path, turn
        return "a"

    def sign_of(self, items: Class, path: Path, turn: int) -> str:
        """Return a character of a set."""
        del path, turn
        return _member(items)

    def branch(self, options: Sequence[Any], path: Path, turn: int) -> str:
        """Return the text of one of several alternatives."""
        return self.text(options[0], (*path, 0), turn)

    def _part(self, operator: str, given: object, path: Path, turn: int) -> str:
        value = cast("Any", given)
        match operator:
            case "LITERAL":
                return chr(value)
            case "NOT_LITERAL":
                return "a" if value != ord("a") else "b"
            case "ANY":
                return self.any_sign(path, turn)
            case "IN":
                return self.sign_of(value, path, turn)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                count = self.times(int(value[0]), int(value[1]), path)
                return "".join(self.text(value[2], (*path, n), n) for n in range(count))
            case "SUBPATTERN":
                text = self.text(value[3], path, turn)
                if value[0] is not None:
                    self._groups[value[0]] = text
                return text
            case "BRANCH":
                return self.branch(value[1], path, turn)
            case "GROUPREF":
                return self._groups.get(value, "")
            case "ATOMIC_GROUP":
                return self.text(value, path, turn)
            case _:
                return ""  # positions and lookarounds


def matches_character(items: Class, sign: str) -> bool:
    """Whether a set contains a character."""
    is_negated = str(items[0][0]) == "NEGATE"
    listed = "".join(map(_class_text, items[is_negated:]))
    return (re.match(f"[{listed}]", sign) is None) == is_negated


def _member(items: Class) -> str:
    if str(items[0][0]) == "NEGATE":
        return next((c for c in "a1 -_.Z" if matches_character(items, c)), "~")
    # characters listed beside a range are signs or separators, which say little alone
    for operator, value in sorted(items, key=lambda item: str(item[0]) == "LITERAL"):
        match str(operator):
            case "LITERAL":
                return chr(value)
            case "RANGE":
                low, high = value
                return next((c for c in "a1A" if low <= ord(c) <= high), chr(low))
            case "CATEGORY":
                return _CLASSES.get(str(value), "a")
            case _:
                continue
    return "a"


def _class_text(item: tuple[Any, Any]) -> str:
    operator, value = str(item[0]), item[1]
    match operator:
        case "LITERAL":
            return re.escape(chr(value))
        case "RANGE":
            return f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
        case _:
            names = {"CATEGORY_DIGIT": r"\d", "CATEGORY_WORD": r"\w", "CATEGORY_SPACE": r"\s",
                     "CATEGORY_NOT_DIGIT": r"\D", "CATEGORY_NOT_WORD": r"\W",
                     "CATEGORY_NOT_SPACE": r"\S"}  # fmt: skip
            return names.get(str(value), "")
