"""Parse JSON from a possibly hostile process: size limits first, then exact types.

Work per character is left to methods of `bytes`: removing strings leaves a skeleton of brackets,
numbers and colons, which shows depth, digits and members before the text is parsed.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Generator
from contextlib import contextmanager
from typing import Never, cast

MAX_CHARACTERS = 24 << 20
MAX_DIGITS = 20
"""Longest number in characters, including its sign; larger ones come as hexadecimal text."""

MAX_DEPTH = 80
"""Deepest nesting of lists and objects."""

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]

_OTHERS = bytes(set(range(256)).difference(b"[]{}"))
_ONE_KIND = bytes.maketrans(b"{}", b"[]")
_AS_DIGITS = bytes(b"0"[0] if chr(c) in "-0123456789" else c for c in range(256))


@contextmanager
def no_collections() -> Generator[None]:
    """Pause the garbage collector, which would traverse all new objects again and again.

    What is read has no cycles and a size limit. Of several threads the one that disabled it enables
    it.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class MalformedError(Exception):
    """Raised for a malformed record; holds the place and the fault."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(where, what)
        self.where = where
        self.what = what

    def within(self, part: str) -> MalformedError:
        """Return the error with the name of the enclosing part."""
        where = self.where if self.where[:1] in {"", "["} else f".{self.where}"
        return MalformedError(part + where, self.what)


class Document:
    """A parsed text whose object members must still be counted.

    `json` keeps the last of several members with one name. To detect duplicates, the reader adds up
    the sizes of all objects, each once, and calls `check_members`.
    """

    __slots__ = ("content", "has_escapes", "members")

    def __init__(self, content: Json, members: int, *, has_escapes: bool) -> None:
        self.content = content
        self.members = members
        """Number of object members in the text."""
        self.has_escapes = has_escapes
        """Whether a string may contain lone surrogates."""

    def check_members(self, counted: int) -> None:
        """Compare the number of members with the reader's count.

        Raises:
            MalformedError: an object has two members with one name.
        """
        if counted != self.members:
            raise MalformedError("", "a key stands twice")


def parse(text: str) -> Document:
    """Return the document. Fractions and overlong numbers are refused.

    Raises:
        MalformedError: the text is no such document, or exceeds a limit.
    """
    if len(text) > MAX_CHARACTERS:
        raise MalformedError("", "too long")
    skeleton = _without_texts(text)
    _check_depth(skeleton)
    if b"0" * (MAX_DIGITS + 1) in skeleton.translate(_AS_DIGITS):
        raise MalformedError("", "a number of too many digits")
    try:
        content = json.loads(text, parse_float=_refused, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise MalformedError("", f"no JSON: {error}"[:200]) from error
    has_escapes = not text.isascii() or "\\ud" in text or "\\uD" in text
    return Document(cast("Json", content), skeleton.count(b":"), has_escapes=has_escapes)


def _without_texts(text: str) -> bytes:
    """Return the text without string contents; a broken text up to where it breaks."""
    data = text.encode("utf-8", "surrogatepass")
    if b"\\" in data:
        data = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    return b"".join(data.split(b'"')[::2])


def _check_depth(skeleton: bytes) -> None:
    """Remove innermost pairs level by level, so that nothing is left unless it is too deep.

    Something left may also be unbalanced, which is no JSON anyway; so is a mixed pair.
    """
    left = skeleton.translate(_ONE_KIND, _OTHERS)
    for _ in range(MAX_DEPTH):
        size = len(left)
        left = left.replace(b"[]", b"")
        if len(left) == size:
            break
    if left:
        raise MalformedError("", "nested too deeply, or brackets without their other half")


def _refused(text: str) -> Never:
    raise ValueError(f"{text[:20]} is no number here")
