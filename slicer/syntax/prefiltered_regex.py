"""Regular expressions that run only where a literal word of theirs occurs, which is much faster to
test.
"""

from __future__ import annotations

import re


class Rare:
    """A pattern, each match of which holds one of the words."""

    def __init__(self, pattern: str, *words: str) -> None:
        self._pattern = re.compile(pattern, re.M)
        self._words = words

    def search(self, text: str) -> re.Match[str] | None:
        """The first match in the text."""
        return self._pattern.search(text) if self._may_match(text) else None

    def findall(self, text: str) -> list[tuple[str, ...]]:
        """The groups of each match, also where there is only one of them."""
        if not self._may_match(text):
            return []
        return [found.groups("") for found in self._pattern.finditer(text)]

    def _may_match(self, text: str) -> bool:
        return any(word in text for word in self._words)
