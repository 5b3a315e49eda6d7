"""Partly known texts: all of a text, or how it begins and ends, in a few alternatives."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from string import Formatter

ROOT = "/\0"
"""Stands for the repository's folder; no real path contains a NUL."""
MOST = 64
"""Maximum number of alternatives that are followed for one expression."""
_PERCENT = re.compile(
    r"%(?P<escaped>%)|%(?P<name>\(\w*\))?(?:(?P<plain>s)|(?P<width>[^a-zA-Z%]*)[a-zA-Z])"
)
"""Fields of templates for `%`."""


@dataclass(frozen=True, slots=True)
class Text:
    """A string or path, or its known prefix and suffix."""

    text: str
    is_open: bool = False
    """Whether unknown characters follow."""
    suffix: str = ""
    """What follows the unknown characters."""

    @property
    def is_place(self) -> bool:
        """Whether it denotes a place in the repository."""
        return self.text == ROOT or self.text.startswith(ROOT + "/")

    @property
    def path(self) -> str:
        """The path inside the repository; empty for the repository itself."""
        inside = self.text[len(ROOT) :].lstrip("/")
        return posixpath.normpath(inside) if inside else ""

    def changed(self, change: Callable[[str], str]) -> Text:
        """Return the text with both its known parts changed, as by `str.lower`."""
        return Text(change(self.text), self.is_open, change(self.suffix))


UNKNOWN = Text("", is_open=True)
Texts = tuple[Text, ...]
NOTHING_KNOWN: Texts = (UNKNOWN,)


def place(path: str) -> Text:
    """Return the text of a path inside the repository."""
    return Text(f"{ROOT}/{path}".rstrip("/"))


def any_of(texts: Iterable[Text], most: int = MOST) -> Texts:
    """Return the distinct alternatives; of too many what they have in common."""
    found = tuple(dict.fromkeys(texts)) or NOTHING_KNOWN
    return found if len(found) <= most else (_common(found),)


def _common(texts: Texts) -> Text:
    start = posixpath.commonprefix([each.text for each in texts])
    ends = [each.suffix if each.is_open else each.text[len(start) :] for each in texts]
    end = posixpath.commonprefix([each[::-1] for each in ends])[::-1]
    return Text(start, is_open=True, suffix=end)


def is_known(texts: Texts) -> bool:
    """Whether the beginning of one of the alternatives is known."""
    return any(text.text or not text.is_open for text in texts)


def is_place(texts: Texts) -> bool:
    """Whether one of the alternatives denotes a place in the repository."""
    return any(text.is_place for text in texts)


def mapped(texts: Texts, change: Callable[[str], str], *, closed: bool = False) -> Texts:
    """Apply a function to known texts; open ones stay, or become unknown if `closed`."""
    return any_of(
        Text(change(item.text)) if not item.is_open else (UNKNOWN if closed else item)
        for item in texts
    )


def summed(parts: Iterable[Texts], most: int = MOST) -> Texts:
    """Return the concatenations of texts."""
    whole: Texts = (Text(""),)
    return reduce(lambda before, part: any_of(_sums(before, part), most), parts, whole)


def _sums(first: Texts, second: Texts) -> Iterator[Text]:
    for left in first:
        for right in second:
            if not left.is_open:
                yield Text(left.text + right.text, right.is_open, right.suffix)
            elif right.is_open:
                yield Text(left.text, is_open=True, suffix=right.suffix)
            else:
                yield Text(left.text, is_open=True, suffix=left.suffix + right.text)


def below(parts: Iterable[Texts]) -> Texts:
    """Return the paths made of parts, of which only the beginning is followed."""
    found, *others = parts
    for part in others:
        found = any_of(_below(left, right) for left in found for right in part)
    return found


def _below(left: Text, right: Text) -> Text:
    if right.text.startswith("/"):
        return right
    return left if left.is_open else Text(posixpath.join(left.text, right.text), right.is_open)


def filled(templates: Texts, style: str, values: Sequence[Texts], most: int = MOST) -> Texts:
    """Return templates with values in their fields.

    Args:
        templates: the texts with fields.
        style: `%`, or `{` for `str.format`.
        values: texts of the values that the fields without a name take in turn.
        most: the maximum number of alternatives.
    """
    pieces = _of_percent if style == "%" else _of_braces
    found: list[Text] = []
    for template in templates:
        rest = NOTHING_KNOWN if template.is_open else (Text(""),)
        found += summed([*pieces(template.text, iter(values)), rest], most)
    return any_of(found, most)


def _of_percent(template: str, values: Iterator[Texts]) -> Iterator[Texts]:
    done = 0
    for field in _PERCENT.finditer(template):
        yield (Text(template[done : field.start()] + (field["escaped"] or "")),)
        if not field["escaped"]:
            for _ in range((field["width"] or "").count("*")):  # widths are values, too
                next(values, None)
            value = NOTHING_KNOWN if field["name"] else next(values, NOTHING_KNOWN)
            yield value if field["plain"] else NOTHING_KNOWN
        done = field.end()
    yield (Text(template[done:]),)


def _of_braces(template: str, values: Iterator[Texts]) -> Iterator[Texts]:
    try:
        for literal, name, form, conversion in Formatter().parse(template):
            yield (Text(literal),)
            if name is not None:
                is_next = not name or name[0] in ".["
                value = next(values, NOTHING_KNOWN) if is_next else NOTHING_KNOWN
                yield value if not (name or form or conversion) else NOTHING_KNOWN
                for _ in _of_braces(form or "", values):  # widths are values, too
                    pass
    except ValueError:  # the template breaks off within a field
        yield NOTHING_KNOWN
