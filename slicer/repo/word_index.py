"""An inverted index from words to files, built incrementally as words are queried.

A file is split into words once a queried word may be in it. So one query costs a search of the
bytes, and many queries cost no more than an index built at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_TO_SPACE = bytes(
    code if code >= 128 or chr(code).isalnum() or code == ord("_") else ord(" ")
    for code in range(256)
)
_CLASS = re.compile(rb"^[ \t]*class[ \t]+\w+[ \t]*(?:\[[^\]]*\])?\(([^:]*)\)[ \t]*:", re.M)
_BASE = re.compile(rb"(\w+)[ \t]*(?:\[|,|$|\s)")


class WordIndex:
    """An index from words to files; files are numbered as they are added."""

    def __init__(self) -> None:
        self._paths: list[str] = []
        self._unread: dict[int, bytes] = {}
        """Files that are not yet split into words."""
        self._words: dict[bytes, int] = {}
        """Word → bit set of the indexed files that contain it."""
        self._bases: dict[bytes, int] = {}
        """Name in the bases of a class → bit set of the indexed files that contain it."""

    def add(self, path: str, data: bytes) -> None:
        """Add a file."""
        self._unread[len(self._paths)] = data
        self._paths.append(path)

    def files(self, words: Iterable[str]) -> tuple[str, ...]:
        """Return the files that contain all of the words, in the order in which they were added."""
        sought = [word.encode() for word in words]
        self._split_all_with(sought)
        bits = -1 if sought else 0
        for word in sought:
            bits &= self._words.get(word, 0)
        return self._of(bits)

    def files_with_base(self, name: str) -> tuple[str, ...]:
        """Return the files with a class whose bases mention the name, in the same order."""
        self._split_all_with([name.encode(), b"class"])
        return self._of(self._bases.get(name.encode(), 0))

    def _of(self, bits: int) -> tuple[str, ...]:
        return tuple(path for index, path in enumerate(self._paths) if bits >> index & 1)

    def _split_all_with(self, words: list[bytes]) -> None:
        found = [
            index for index, data in self._unread.items() if all(word in data for word in words)
        ]
        for index in found:
            self._split(1 << index, self._unread.pop(index))

    def _split(self, bit: int, data: bytes) -> None:
        words, bases = self._words, self._bases
        for word in set(data.translate(_TO_SPACE).split()):
            words[word] = words.get(word, 0) | bit
        for header in _CLASS.findall(data):
            for base in _BASE.findall(header):
                bases[base] = bases.get(base, 0) | bit
