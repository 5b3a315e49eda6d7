"""A text that a regular expression matches."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, cast

# the tree that `re` compiles is of a module without types
_parser = cast("Any", importlib.import_module("re._parser"))
_CLASSES = {
    "CATEGORY_DIGIT": "1", "CATEGORY_WORD": "a", "CATEGORY_SPACE": " ",
    "CATEGORY_NOT_DIGIT": "a", "CATEGORY_NOT_WORD": "-", "CATEGORY_NOT_SPACE": "a",
}  # fmt: skip
_MAX_REPEAT = 3


@lru_cache(maxsize=256)
def example(pattern: str) -> str | None:
    """A short text in which the pattern is found; `None` where none is found easily."""
    try:
        tree = cast("Iterable[Any]", _parser.parse(pattern))
        text = _text(tree, {})
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError, ValueError):
        return None
    for candidate in (text, f" {text} ", f"a {text} b", text.upper()):
        if compiled.fullmatch(candidate) or compiled.search(candidate):
            return candidate
    return None


def _text(items: Iterable[Any], groups: dict[int, str]) -> str:
    return "".join(_part(str(operator), value, groups) for operator, value in items)


def _part(operator: str, given: object, groups: dict[int, str]) -> str:
    value = cast("Any", given)
    match operator:
        case "LITERAL":
            return chr(value)
        case "NOT_LITERAL":
            return "a" if value != ord("a") else "b"
        case "ANY":
            return "a"
        case "IN":
            return _member(value)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            low, high, inner = value
            times = max(int(low), min(int(high), 1))
            return "".join(_text(inner, groups) for _ in range(times))
        case "SUBPATTERN":
            text = _text(value[3], groups)
            if value[0] is not None:
                groups[value[0]] = text
            return text
        case "BRANCH":
            return _text(value[1][0], groups)
        case "GROUPREF":
            return groups.get(value, "")
        case "ATOMIC_GROUP":
            return _text(value, groups)
        case _:
            return ""  # positions and what is looked at around them


def _member(items: list[tuple[Any, Any]]) -> str:
    first, *_ = items
    if str(first[0]) == "NEGATE":
        refused = re.compile("[" + "".join(_class_text(item) for item in items[1:]) + "]")
        return next((c for c in "a1 -_.Z" if not refused.match(c)), "~")
    # what is listed beside a range is a sign or a separator, which says little alone
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
