"""Partially known texts: the whole text or a prefix, in a few alternatives."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

ROOT = "/\0"
"""Stands for the repository's folder; no real path contains a NUL."""
_MOST = 64
"""Maximum number of alternatives that are followed for one expression."""


@dataclass(frozen=True, slots=True)
class Text:
    """A string or path, or its known prefix."""

    text: str
    is_open: bool = False
    """Whether unknown characters follow."""

    @property
    def is_place(self) -> bool:
        """Whether it denotes a place in the repository."""
        return self.text == ROOT or self.text.startswith(ROOT + "/")

    @property
    def path(self) -> str:
        """The path inside the repository; empty for the repository itself."""
        inside = self.text[len(ROOT) :].lstrip("/")
        return posixpath.normpath(inside) if inside else ""


UNKNOWN = Text("", is_open=True)
Texts = tuple[Text, ...]
NOTHING_KNOWN: Texts = (UNKNOWN,)


def place(path: str) -> Text:
    """Return the text of a path inside the repository."""
    return Text(f"{ROOT}/{path}".rstrip("/"))


def any_of(texts: Iterable[Text]) -> Texts:
    """Return the distinct alternatives; nothing known if there are none."""
    found = tuple(dict.fromkeys(texts))[:_MOST]
    return found or NOTHING_KNOWN


def is_place(texts: Texts) -> bool:
    """Whether one of the alternatives denotes a place in the repository."""
    return any(text.is_place for text in texts)


def mapped(texts: Texts, change: Callable[[str], str], *, closed: bool = False) -> Texts:
    """Apply a function to known texts; open ones stay, or become unknown if `closed`."""
    return any_of(
        Text(change(item.text)) if not item.is_open else (UNKNOWN if closed else item)
        for item in texts
    )


def joined(first: Texts, second: Texts, *, as_path: bool) -> Texts:
    """Return the concatenations of both texts, or their joins as parts of a path."""
    found: list[Text] = []
    for left in first:
        for right in second:
            if as_path and right.text.startswith("/"):
                found.append(right)
            elif left.is_open:
                found.append(left)
            elif as_path:
                found.append(Text(posixpath.join(left.text, right.text), right.is_open))
            else:
                found.append(Text(left.text + right.text, right.is_open))
    return any_of(found)


def filled(templates: Texts, hole: str, values: Sequence[Texts]) -> Texts:
    """Return templates with values in their holes, as `%` and `str.format` fill them."""
    found: list[Text] = []
    for template in templates:
        head, *rest = template.text.split(hole)
        texts: Texts = (Text(head, template.is_open and not rest),)
        filling = iter(values)
        for piece in rest:
            part = next(filling, NOTHING_KNOWN)
            texts = joined(joined(texts, part, as_path=False), (Text(piece),), as_path=False)
        found += texts
    return any_of(found)
