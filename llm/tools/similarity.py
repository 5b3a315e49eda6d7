"""Which texts are like a query: BM25 over the words inside identifiers.

BM25 as in Robertson and Zaragoza, 2009, with the usual k1 = 1.2 and b = 0.75. `readTaxRates` and
`read_tax_rates` have the same words, and count as whole identifiers too.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

_IDENTIFIER = re.compile(r"[^\W\d]\w*|\d+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\da-zA-Z_]+")
_NOISE = frozenset(
    "a an and are as be by def for from if in is it of on or return self that the to with".split()
)
_K1 = 1.2
_B = 0.75


def words_of(text: str) -> Iterator[str]:
    """Yield the identifiers of a text and the words in them, in lower case."""
    for identifier in _IDENTIFIER.findall(text):
        yield from _words_in(identifier)


@lru_cache(maxsize=1 << 16)
def _words_in(identifier: str) -> tuple[str, ...]:
    parts = [part.lower() for part in _PART.findall(identifier)]
    whole = [identifier.lower()] if len(parts) > 1 else []
    return (*whole, *(part for part in parts if part not in _NOISE))


class Similarity:
    """An index of texts, which are numbered by their position."""

    def __init__(self, counts: Sequence[Mapping[str, int]]) -> None:
        """Take for each text how often each word occurs."""
        self._lengths = [sum(each.values()) for each in counts]
        self._mean = sum(self._lengths) / len(counts) if counts else 0.0
        self._postings: dict[str, list[tuple[int, int]]] = {}
        for number, each in enumerate(counts):
            for word, count in each.items():
                self._postings.setdefault(word, []).append((number, count))

    def nearest(self, query: str, count: int) -> list[int]:
        """Return the texts that share words with the query, the most similar first."""
        scores: dict[int, float] = {}
        for word in dict.fromkeys(words_of(query)):
            postings = self._postings.get(word, ())
            weight = math.log(
                1 + (len(self._lengths) - len(postings) + 0.5) / (len(postings) + 0.5)
            )
            for number, times in postings:
                length = self._lengths[number] / self._mean
                gain = weight * times * (_K1 + 1) / (times + _K1 * (1 - _B + _B * length))
                scores[number] = scores.get(number, 0.0) + gain
        return sorted(scores, key=lambda number: (-round(scores[number], 9), number))[:count]


def similarity_of(texts: Sequence[str]) -> Similarity:
    """Return an index of these texts."""
    return Similarity([Counter(words_of(text)) for text in texts])
