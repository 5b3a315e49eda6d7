"""What a search of IMAP finds: flags, numbers, words and dates of letters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
FLAG_KEYS = ("ANSWERED", "DELETED", "DRAFT", "FLAGGED", "SEEN")
HEADER_KEYS = ("BCC", "CC", "FROM", "SUBJECT", "TO")


class ImapError(Exception):
    """A command that is not understood."""


class ImapSearch:
    """A search, as a test of each letter.

    Words and dates are taken to fit a letter that nobody has written where otherwise nothing is found.
    """

    def __init__(self, words: list[Any], letters: list[Any]) -> None:
        self.letters = letters
        self.is_loose = False
        self.asks_words = False
        if words and str(words[0]).upper() == "CHARSET":
            words = words[2:]
        self.test = self._all(words)

    def found(self) -> list[int]:
        """The numbers of what fits."""
        found = self._fitting()
        if not found and self.asks_words:
            self.is_loose = True
            found = self._fitting()
        return found

    def _fitting(self) -> list[int]:
        return [n for n, each in enumerate(self.letters, 1) if self.test(n, each)]

    def _all(self, words: list[Any]) -> Callable[[int, Any], bool]:
        rest = iter(words)
        tests = list(iter(lambda: self._next(rest), None))
        return lambda number, letter: all(test(number, letter) for test in tests)

    def _next(self, rest: Iterator[Any]) -> Any:
        word = next(rest, None)
        if word is None:
            return None
        if isinstance(word, list):
            return self._all(word)
        key = word.upper()
        if key in ("ALL", "OLD"):
            return lambda number, letter: True
        if key in ("NEW", "RECENT"):
            return lambda number, letter: False
        if key in FLAG_KEYS or key.removeprefix("UN") in FLAG_KEYS:
            flag, is_set = "\\" + key.removeprefix("UN").capitalize(), key in FLAG_KEYS
            return lambda number, letter: (flag in letter.flags) == is_set
        if key == "NOT":
            inner = self._next(rest)
            return lambda number, letter: not inner(number, letter)
        if key == "OR":
            first, second = self._next(rest), self._next(rest)
            return lambda number, letter: first(number, letter) or second(number, letter)
        if re.fullmatch(r"[\d:,*]+", key):
            numbers = in_set(key, len(self.letters))
            return lambda number, letter: number in numbers
        if key == "HEADER":
            return self._words("HEADER", str(next(rest, "")), str(next(rest, "")))
        given = next(rest, None)
        if given is None:
            raise ImapError(f"Unknown argument {key}")
        return self._about(key, str(given))

    def _about(self, key: str, given: str) -> Any:
        """A test with one argument."""
        if key in ("KEYWORD", "UNKEYWORD"):
            return lambda number, letter: (given in letter.flags) == (key == "KEYWORD")
        if key == "UID":
            uids = in_set(given, max([each.uid for each in self.letters], default=0))
            return lambda number, letter: letter.uid in uids
        if key in ("LARGER", "SMALLER"):
            sign = 1 if key == "LARGER" else -1
            return lambda number, letter: (len(letter.content) - int(given)) * sign > 0
        if key in HEADER_KEYS:
            return self._words("HEADER", key, given)
        if key in ("BODY", "TEXT"):
            return self._words(key, "", given)
        if key.removeprefix("SENT") in ("ON", "SINCE", "BEFORE"):
            return self._date(key, given)
        raise ImapError(f"Unknown argument {key}")

    def _words(self, key: str, header: str, given: str) -> Any:
        self.asks_words = True

        def test(number: int, letter: Any) -> bool:
            if self.is_loose and not letter.is_own:
                return True
            head, _, body = letter.content.partition(b"\r\n\r\n")
            text = head if key == "HEADER" else body if key == "BODY" else letter.content
            shown = text.decode("utf-8", "replace")
            if key == "HEADER":
                lines = re.findall(rf"(?im)^{re.escape(header)}:(.*(?:\n[ \t].*)*)", shown)
                return any(given.lower() in line.lower() for line in lines)
            return given.lower() in shown.lower()

        return test

    def _date(self, key: str, given: str) -> Any:
        self.asks_words = True
        wanted = _day(given)

        def test(number: int, letter: Any) -> bool:
            if self.is_loose and not letter.is_own:
                return True
            day = _day(letter.date)
            if key.startswith("SENT"):
                header = re.search(rb"(?im)^date:(.*)", letter.content)
                day = _day(header[1].decode("utf-8", "replace") if header else "")
            if key.endswith("SINCE"):
                return day >= wanted
            return day == wanted if key.endswith("ON") else day < wanted

        return test


def _day(text: str) -> tuple[int, ...]:
    found = re.search(r"(\d{1,2})[- ](\w{3})[- ](\d{4})", text)
    if not found or found[2].lower() not in MONTHS:
        return ()
    return int(found[3]), MONTHS.index(found[2].lower()), int(found[1])


def in_set(said: str, last: int) -> set[int]:
    """The numbers of a set, as `1:3,5,7:*`."""
    found: set[int] = set()
    for part in said.split(","):
        ends = [last if end == "*" else int(end) for end in part.split(":")]
        found.update(range(min(ends), min(max(ends), max(last, min(ends))) + 1))
    return found
