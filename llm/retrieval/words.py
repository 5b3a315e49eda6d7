"""The words of a text of code: identifiers, and the parts that they are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_IDENTIFIER = re.compile(r"[^\W\d]\w*|\d+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\da-zA-Z_]+")
_NOISE = frozenset(
    "a an and are as be by def for from if in is it of on or return self that the to with".split()
)


def words_of(text: str) -> Iterator[str]:
    """Yield the identifiers of a text and the words in them, in lower case."""
    for identifier in _IDENTIFIER.findall(text):
        yield from _words_in(identifier)


@lru_cache(maxsize=1 << 16)
def _words_in(identifier: str) -> tuple[str, ...]:
    parts = [part.lower() for part in _PART.findall(identifier)]
    whole = [identifier.lower()] if len(parts) > 1 else []
    return (*whole, *(part for part in parts if part not in _NOISE))
