"""Texts for each form that a regular expression distinguishes, and texts that nearly match.

Each alternative is taken, each optional part left out, each repetition shorter and longer, and of
each character set each end and each listed character is used: one choice of the syntax tree is
varied at a time, the base-choice criterion of pairwise testing (Cohen et al., "The AETG system",
IEEE TSE 1997).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, zip_longest
from typing import Any, TypeVar, cast

from .pattern_matches import Class, Path, PatternText, matches_character, parsed

_MOST = 48
_MOST_NEAR = 24
_MOST_OF_CLASS = 10
_CATEGORIES = {
    "CATEGORY_DIGIT": "109", "CATEGORY_WORD": "aZ9_", "CATEGORY_SPACE": " \t",
    "CATEGORY_NOT_DIGIT": "a-", "CATEGORY_NOT_WORD": "-.", "CATEGORY_NOT_SPACE": "a-",
}  # fmt: skip
_ANY = "a-9"
_Possible = TypeVar("_Possible")


@lru_cache(maxsize=256)
def forms(pattern: str) -> tuple[str, ...]:
    """Return texts that the pattern matches, by different choices, and texts that nearly match.

    The plainest text comes first. Empty for an invalid pattern, or one without choices.
    """
    try:
        tree = parsed(pattern)
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
    """Yield each text shortened, halved, with its end doubled, and with a prefix."""
    for text in texts:
        yield text[:-1]
        yield text[: len(text) // 2]
        yield text + text[-1:]
        yield from (f"{sign}{text}" for sign in ("-+" if text[:1].isdigit() else "x"))
        yield from (f"+{text[1:]}",) if text[:1] == "-" else ()


def _broken(tree: list[Any]) -> Iterator[str]:
    """Yield the plainest text with one place at a time replaced by what does not match."""
    plain = _Chosen({})
    plain.text(tree)
    for path in plain.counts:
        yield _Chosen({}, broken=path).text(tree)


def _by_choices(tree: list[Any]) -> Iterator[str]:
    """Yield the text of the default choices, then of each choice varied, and of those it opens."""
    seen = set[Path]()
    todo: list[dict[Path, int]] = [{}]
    for made in todo:
        chosen = _Chosen(made)
        yield chosen.text(tree)
        opened = {path: count for path, count in chosen.counts.items() if path not in seen}
        seen |= opened.keys()
        others = ({**made, path: n} for path, count in opened.items() for n in range(1, count))
        todo += islice(others, 2 * _MOST - len(todo))


class _Chosen(PatternText):
    """A text by the index of the option at each place, the first one by default."""

    def __init__(self, made: dict[Path, int], broken: Path | None = None) -> None:
        super().__init__()
        self._made = made
        self._broken = broken
        """The place that gets what does not match."""
        self.counts: dict[Path, int] = {}
        """The number of options of each place."""

    def times(self, low: int, high: int, path: Path) -> int:
        counts = [n for n in (super().times(low, high, path), low, low + 1, 3) if low <= n <= high]
        return self._one_of(list(dict.fromkeys(counts)), path)

    def any_sign(self, path: Path, turn: int) -> str:
        return self._one_of(_ANY, path, turn)

    def sign_of(self, items: Class, path: Path, turn: int) -> str:
        sign = self._one_of(_members(items), path, turn)
        return _other_sign(items) if path == self._broken else sign

    def branch(self, options: Sequence[Any], path: Path, turn: int) -> str:
        at = self._one_of(range(len(options)), path)
        text = self.text(options[at], (*path, at), turn)
        return text[:-1] + "q" if path == self._broken else text

    def _one_of(self, possible: Sequence[_Possible], path: Path, turn: int = 0) -> _Possible:
        """Return the chosen option of a place; later repetitions start further on."""
        self.counts[path] = len(possible)
        return possible[(self._made.get(path, 0) + turn) % len(possible)]


def _members(items: Class) -> str:
    """Return characters of a set: the listed ones, and the ends of its ranges."""
    found = "".join(_listed(str(operator), value) for operator, value in items)
    if str(items[0][0]) == "NEGATE":
        return "".join(c for c in "a1-Z ._" if c not in found)[:3] or "~"
    ranges = "".join(
        _listed(str(operator), value) for operator, value in items if str(operator) != "LITERAL"
    )
    return "".join(dict.fromkeys(ranges[:3] + found))[:_MOST_OF_CLASS] or "a"


def _other_sign(items: Class) -> str:
    """Return a character outside the set, of the same kind as those in it."""
    found = _members(items)
    near = [c for c in "sx7-. Q" if not matches_character(items, c)]
    if str(items[0][0]) == "NEGATE":
        near = [c for o, v in items[1:] for c in _listed(str(o), v)]
    same_kind = [c for c in near if c.isalpha() == found[:1].isalpha()]
    return next(iter((*same_kind, *near)), "~")


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
