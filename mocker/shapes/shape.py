"""Shapes: what a value must be like, so that everything that is done with it works."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

OTHER_RECORD = "other_record"
"""What a shape is called that a record has for another of those that try to read it."""


@dataclass(frozen=True, slots=True)
class Anything:
    """Nothing is known but perhaps a name."""

    hint: str = ""
    """What the value is called where it is used: a key, an attribute, a parameter."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A text, number, boolean, bytes or `None`, with the values that the slice's tests want."""

    kind: Literal["text", "char", "int", "number", "float", "bool", "bytes", "none"]
    hint: str = ""
    values: tuple[object, ...] = ()
    """The one for which the slice goes on, then one for each other outcome of a test; empty where
    any value will do."""
    is_free: bool = True
    """Whether no test looks at it, so that each may be a little different."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One key of a mapping, or attribute of an object."""

    key: object
    shape: Shape
    may_be_missing: bool = False
    """The slice has an answer to its absence."""
    is_unwanted: bool = False
    """The slice goes on when it is absent."""


@dataclass(frozen=True, slots=True)
class Mapping:
    """A dictionary with these keys."""

    entries: tuple[Entry, ...] = ()
    rest: Shape | None = None
    """What further values are like, where keys are not known."""
    hint: str = ""
    is_asked: bool = False
    """Whether whoever calls the slice may ask it for any key."""
    first: Shape | None = None
    """The first of the further values, where it differs."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list, or a tuple, of things that are alike but for some at known places.

    Answers, which are plain data, have a list in the place of a set.
    """

    item: Shape
    parts: tuple[tuple[int, Shape], ...] = ()
    length: int = 2
    is_tested: bool = False
    """Whether the slice has an answer to an empty one."""
    skipped: int = 0
    """How many at the beginning are not looked at by what looks at each."""
    lengths: tuple[int, ...] = ()
    """Others, for which tests of the length come out otherwise."""
    type_name: Literal["list", "set", "deque", "tuple"] = "list"


@dataclass(frozen=True, slots=True)
class Holding:
    """A text that holds something in a format."""

    format: tuple[object, ...]
    """`("json",)`, `("csv", "rows" | "records" | "frame")`, `("date", layout)`, …"""
    inner: Shape
    hint: str = ""
    is_bytes: bool = False
    is_tested: bool = False
    """Whether the slice has an answer to a text that cannot be parsed."""


@dataclass(frozen=True, slots=True)
class Element:
    """An element of HTML or XML."""

    tag: str
    attributes: tuple[tuple[str, Shape], ...] = ()
    text: Shape | None = None
    children: tuple[Element, ...] = ()
    count: int = 1
    """How many of it stand beside one another."""
    parts: tuple[tuple[int, Element], ...] = ()
    """Those at known places among them that differ."""


@dataclass(frozen=True, slots=True)
class Markup:
    """A text of HTML or XML."""

    root: Element
    is_xml: bool = False


@dataclass(frozen=True, slots=True)
class Object:
    """Something with attributes; called, iterated and subscripted, too, where the slice does."""

    attributes: tuple[Entry, ...] = ()
    result: Shape | None = None
    """What calling it gives."""
    item: Shape | None = None
    """What it gives when it is iterated or subscripted."""
    type_name: str = ""
    """Dotted name of its class, where the slice says it."""
    hint: str = ""
    is_awaited: bool = False
    """Whether what calling it gives is awaited."""
    is_entered: bool = False
    """Whether it stands in a `with`."""
    own: object = None
    """The class of the slice whose instance it is."""
    is_class: bool = False
    """Whether it is that class itself."""
    dimensions: int = 0
    """Of an array; 0 where nothing tells."""
    columns: Shape | None = None
    """Of a table, what a row is like."""


@dataclass(frozen=True, slots=True)
class Maybe:
    """`None`, or the other: the slice has an answer to both."""

    shape: Shape
    is_none: bool = False
    """Whether `None` is the one for which the slice goes on."""


@dataclass(frozen=True, slots=True)
class Either:
    """The one with which the slice goes on, or another kind of thing that it has an answer to."""

    shape: Shape
    others: tuple[tuple[str, Shape], ...]
    """What each is called, and what it is."""


Shape = Anything | Plain | Mapping | Sequence | Holding | Markup | Object | Maybe | Either


def holds_objects(shape: Shape | None) -> bool:
    """Whether there is something with attributes in it, which plain data cannot have."""
    match shape:
        case Object():
            return True
        case Maybe(shape=inner) | Either(shape=inner) | Holding(inner=inner):
            return holds_objects(inner)
        case Sequence(item=item, parts=parts):
            return holds_objects(item) or any(holds_objects(part) for _, part in parts)
        case Mapping(entries=entries, rest=rest):
            return holds_objects(rest) or any(holds_objects(entry.shape) for entry in entries)
        case _:
            return False
