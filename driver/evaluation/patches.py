"""Patches that models write: unified diffs, applied where their context is found.

Line numbers of a model are often wrong, and its context rarely is; so a hunk is placed by its
context and removed lines, nearest to where its header says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_HUNK = re.compile(r"^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@")
_FILE = re.compile(r"^\+\+\+ (?:b/)?(\S+)")
_BLOCK = re.compile(r"^```(?:diff|patch)[^\n]*\n(.*?)^```", re.M | re.S)


@dataclass(frozen=True, slots=True)
class Hunk:
    """One change of a file."""

    path: str
    line: int
    """Where the header says that it begins, counted from 1."""
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unapplied:
    """Why a patch does not apply."""

    reason: str


def hunks_of(answer: str) -> list[Hunk]:
    """Return the hunks of the diffs in an answer: in blocks of `diff`, or else anywhere."""
    blocks = _BLOCK.findall(answer)
    return [hunk for block in blocks or [answer] for hunk in _hunks(block.splitlines())]


def _hunks(lines: Sequence[str]) -> Iterator[Hunk]:
    path, start = "", 0
    before: list[str] = []
    after: list[str] = []

    def made() -> Iterator[Hunk]:
        if start and (before or after):
            yield Hunk(path, start, tuple(before), tuple(after))

    for number, line in enumerate(lines):
        header, file = _HUNK.match(line), _FILE.match(line)
        is_old_name = line.startswith("--- ") and lines[number + 1 : number + 2] != []
        if is_old_name and lines[number + 1].startswith("+++ "):
            yield from made()
            start = 0
        elif file and not start:
            path = file[1]
        elif header:
            yield from made()
            start, before, after = int(header[1]) or 1, [], []
        elif start and line.startswith("+"):
            after.append(line[1:])
        elif start and line.startswith("-"):
            before.append(line[1:])
        elif start and not line.startswith("\\"):
            before.append(line[1:])
            after.append(line[1:])
    yield from made()


def patched(text: str, hunks: Sequence[Hunk]) -> str | Unapplied:
    """Return a text with hunks applied, or why one does not apply.

    Args:
        text: the text of a file.
        hunks: its changes, in order.
    """
    lines = text.splitlines()
    shift = 0
    for number, hunk in enumerate(hunks, 1):
        place = _place(lines, hunk.before, hunk.line - 1 + shift)
        if place is None:
            return Unapplied(f"hunk {number} does not fit: its old lines are not in the file")
        lines[place : place + len(hunk.before)] = hunk.after
        shift += len(hunk.after) - len(hunk.before)
    return "\n".join(lines) + "\n"


def _place(lines: Sequence[str], before: Sequence[str], near: int) -> int | None:
    """Return where lines stand, nearest to a place; spaces at ends of lines do not count."""
    wanted = [each.rstrip() for each in before]
    if not wanted:
        return min(max(near, 0), len(lines))
    stripped = [each.rstrip() for each in lines]
    found = [
        start
        for start in range(len(lines) - len(wanted) + 1)
        if stripped[start] == wanted[0] and stripped[start : start + len(wanted)] == wanted
    ]
    return min(found, key=lambda start: abs(start - near)) if found else None
