"""Reading JSON that a hostile process may have written: caps first, then exact types."""

from __future__ import annotations

import json
import re
from typing import Never, cast

MAX_CHARACTERS = 24 << 20
MAX_DIGITS = 20
"""Of a number that stands as such; larger ones come as hexadecimal text."""

MAX_DEPTH = 80
"""Lists and objects inside one another."""

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]


_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}]')
"""Texts are matched whole, so that brackets inside of them are none."""


class MalformedError(Exception):
    """The text is not what it should be; carries where, and what is wrong."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(where, what)
        self.where = where
        self.what = what


def parse(text: str) -> Json:
    """The document, without fractions, repeated keys or endless numbers.

    Raises:
        MalformedError: it is none, or over a cap.
    """
    if len(text) > MAX_CHARACTERS:
        raise MalformedError("", "too long")
    if _depth(text) > MAX_DEPTH:
        raise MalformedError("", "nested too deeply")
    try:
        return cast(
            "Json",
            json.loads(
                text,
                object_pairs_hook=_without_repeats,
                parse_int=_short_number,
                parse_float=_refused,
                parse_constant=_refused,
            ),
        )
    except (ValueError, RecursionError) as error:
        raise MalformedError("", f"no JSON: {error}"[:200]) from error


def _depth(text: str) -> int:
    """How deep lists and objects nest at most."""
    depth = deepest = 0
    for token in _BRACKETS.findall(text):
        if token in {"[", "{"}:
            depth += 1
            deepest = max(deepest, depth)
        elif token in {"]", "}"}:
            depth -= 1
    return deepest


def _without_repeats(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _short_number(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError("a number of too many digits")
    return int(digits)


def _refused(text: str) -> Never:
    raise ValueError(f"{text[:20]} is no number here")
