"""Regular expressions that run only where a literal word occurs, which is faster."""

from __future__ import annotations

import re


class PrefilteredRegex:
    """A pattern with literal words, one of which is in every match."""

    def __init__(self, pattern: str, *words: str) -> None:
        self._pattern = re.compile(pattern, re.M)
        self._words = words

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match in the text."""
        return self._pattern.search(text) if self._may_match(text) else None

    def findall(self, text: str) -> list[tuple[str, ...]]:
        """Return the groups of each match as tuples, even if the pattern has only one group."""
        if not self._may_match(text):
            return []
        return [found.groups("") for found in self._pattern.finditer(text)]

    def _may_match(self, text: str) -> bool:
        return any(word in text for word in self._words)
