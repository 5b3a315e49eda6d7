"""Which names the top-level lines of a text may change, and which its classes derive from.

Found by text and not by tree, since nearly all of the files that are looked at change nothing of
interest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_CHAIN = r"((?:\w+\.)*\w+)\b(\s*(?:[\[.(|@\n]|=[^=]|\+=))?"
"""A dotted name, and what shows that it is changed, called or decorates."""
# Lookaheads: what one line is matched with may reach into the next, which counts by itself.
_CHANGES = tuple(
    re.compile(rf"^(?={before}{_CHAIN})", re.M) for before in ("", r"(?:@\s*|del\s+|\w+\s*=\s*)")
)
_CLASS_LINE = re.compile(r"^class\s.*", re.M)
_BASE = re.compile(r"[(,=](?=\s*((?:\w+\.)*\w+))")


def changed_words(text: str) -> frozenset[str]:
    """Names in column 0 that are changed, called or decorate, with what they are attributes of."""
    return frozenset(word for line in _CHANGES for word in _in_chains(line, text))


def base_words(text: str) -> frozenset[str]:
    """Names that follow a bracket, comma or `=` in the first line of a class."""
    return frozenset(_bases(text))


def _in_chains(line: re.Pattern[str], text: str) -> Iterator[str]:
    for found in line.finditer(text):
        *owners, last = found[1].split(".")
        yield from owners
        if found[2] is not None:
            yield last


def _bases(text: str) -> Iterator[str]:
    for line in _CLASS_LINE.finditer(text):
        for found in _BASE.finditer(text, line.start()):
            if found.start() >= line.end():
                break
            yield from found[1].split(".")
