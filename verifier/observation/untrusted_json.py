"""Reading JSON that a hostile process may have written: caps first, then exact types.

What costs time per character is left to methods of `bytes`, which look at each once: taking texts
out leaves a skeleton of brackets, numbers and colons, which tells depth, digits and members before
the text is parsed.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Generator
from contextlib import contextmanager
from typing import Never, cast

MAX_CHARACTERS = 24 << 20
MAX_DIGITS = 20
"""Of a number that stands as such, its sign included; larger ones come as hexadecimal text."""

MAX_DEPTH = 80
"""Lists and objects inside one another."""

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]

_OTHERS = bytes(set(range(256)).difference(b"[]{}"))
_ONE_KIND = bytes.maketrans(b"{}", b"[]")
_AS_DIGITS = bytes(b"0"[0] if chr(c) in "-0123456789" else c for c in range(256))


@contextmanager
def no_collections() -> Generator[None]:
    """Put the garbage collector off, which would look at all that is made, again and again.

    What is read has no cycles and a cap. Of several threads the one that found it on puts it on.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class MalformedError(Exception):
    """The text is not what it should be; carries where, and what is wrong."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(where, what)
        self.where = where
        self.what = what

    def within(self, part: str) -> MalformedError:
        """The same, said of the part that it was found in."""
        where = self.where if self.where[:1] in {"", "["} else f".{self.where}"
        return MalformedError(part + where, self.what)


class Document:
    """A parsed text whose objects have yet to be counted.

    `json` keeps the last of several members of one name. To see that, whoever reads the document
    adds up the sizes of the objects in it, each once, and asks for `check_members`.
    """

    __slots__ = ("content", "has_escapes", "members")

    def __init__(self, content: Json, members: int, *, has_escapes: bool) -> None:
        self.content = content
        self.members = members
        """Members of objects that stand in the text."""
        self.has_escapes = has_escapes
        """Whether a text in it may be no proper Unicode."""

    def check_members(self, counted: int) -> None:
        """Compare with what a reader has counted.

        Raises:
            MalformedError: an object has two members of one name.
        """
        if counted != self.members:
            raise MalformedError("", "a key stands twice")


def parse(text: str) -> Document:
    """The document, without fractions or endless numbers.

    Raises:
        MalformedError: it is none, or over a cap.
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
    """What stands outside of texts; of a broken one, right up to where it breaks."""
    data = text.encode("utf-8", "surrogatepass")
    if b"\\" in data:
        data = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    return b"".join(data.split(b'"')[::2])


def _check_depth(skeleton: bytes) -> None:
    """Take innermost pairs away, level by level: what is not too deep leaves nothing.

    What leaves something may only be unbalanced, and is no JSON then; nor is a pair of two kinds.
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
