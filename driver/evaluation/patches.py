"""Patches that models write: unified diffs, applied where their context is found.

Line numbers of a model are often wrong, and its context rarely is; so a hunk is placed by its
context and removed lines, nearest to where its header says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .answer_code import fenced_blocks

_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")
_NAME = re.compile(r"^(?:---|\+\+\+) (?:[ab]/)?([^\t\n]+?)\s*$")
_NOWHERE = "/dev/null"


@dataclass(frozen=True, slots=True)
class Hunk:
    """One change of a file."""

    path: str
    line: int
    """Where the header says that it begins, counted from 1."""
    before: tuple[str, ...]
    after: tuple[str, ...]
    deletes: bool = False
    """Whether the file goes."""
    source: str = ""
    """The file's name before the change."""


@dataclass(frozen=True, slots=True)
class Unapplied:
    """Why a patch does not apply."""

    reason: str


def hunks_of(answer: str) -> list[Hunk]:
    """Return the hunks of the diffs in an answer: in fenced blocks, or else anywhere."""
    blocks = [text for text in fenced_blocks(answer) if re.search(_HUNK.pattern, text, re.M)]
    return [hunk for block in blocks or [answer] for hunk in _hunks(block.split("\n"))]


def _hunks(lines: Sequence[str]) -> Iterator[Hunk]:
    old = new = ""
    number = 0
    while number < len(lines):
        if _is_file_head(lines, number):
            old, new = (_named(lines[number + i]) for i in range(2))
            number += 2
            continue
        header = _HUNK.match(lines[number])
        number += 1
        if header is None:
            continue
        before: list[str] = []
        after: list[str] = []
        while number < len(lines) and not _ends_hunk(lines, number):
            line = lines[number]
            if line[:1] != "+" and line[:1] != "\\":
                before.append(line[1:])
            if line[:1] != "-" and line[:1] != "\\":
                after.append(line[1:])
            number += 1
        while before and after and before[-1] == after[-1] == "" and not lines[number - 1]:
            before.pop()  # blank lines below a diff
            after.pop()
            number -= 1
        line = int(header[1]) + (header[2] == "0")  # of a pure insertion, the line above it
        path = old if new == _NOWHERE else new
        if before or after:
            yield Hunk(path, max(1, line), tuple(before), tuple(after), new == _NOWHERE, old)
        while number < len(lines) and not lines[number]:
            number += 1


def _is_file_head(lines: Sequence[str], number: int) -> bool:
    """Whether the two names of a file begin here: a hunk follows them."""
    head = lines[number : number + 3]
    return (
        len(head) == 3
        and head[0].startswith("--- ")
        and head[1].startswith("+++ ")
        and _HUNK.match(head[2]) is not None
    )


def _named(line: str) -> str:
    found = _NAME.match(line)
    return found[1] if found else ""


def _ends_hunk(lines: Sequence[str], number: int) -> bool:
    line = lines[number]
    is_part = not line or line[0] in " +-\\\t"
    return not is_part or _is_file_head(lines, number)


def patched(text: str, hunks: Sequence[Hunk]) -> str | Unapplied:
    """Return a text with hunks applied, or why one does not apply.

    Args:
        text: the text of a file.
        hunks: its changes, in order.
    """
    lines = text.split("\n")
    ending = "\r" if lines[0].endswith("\r") else ""
    shift = 0
    for number, hunk in enumerate(hunks, 1):
        place = _place(lines, hunk.before, hunk.line - 1 + shift)
        if place is None:
            return Unapplied(f"hunk {number} does not fit: its old lines are not in the file")
        old = lines[place : place + len(hunk.before)]
        known = {each.rstrip(): each for each in old}  # spaces at ends of lines stay as they are
        new = [known.get(each.rstrip(), each.rstrip("\r") + ending) for each in hunk.after]
        lines[place : place + len(hunk.before)] = new
        shift += len(hunk.after) - len(hunk.before)
    if lines[-1]:
        lines.append("")
    return "\n".join(lines)


def _place(lines: Sequence[str], before: Sequence[str], near: int) -> int | None:
    """Return where lines stand, nearest to a place; spaces at ends of lines do not count."""
    wanted = [each.rstrip() for each in before]
    if not wanted:
        return min(max(near, 0), len(lines) - (lines[-1] == ""))
    stripped = [each.rstrip() for each in lines]
    found = [
        start
        for start in range(len(lines) - len(wanted) + 1)
        if stripped[start] == wanted[0] and stripped[start : start + len(wanted)] == wanted
    ]
    return min(found, key=lambda start: abs(start - near)) if found else None
