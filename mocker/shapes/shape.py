"""Shapes: what a value must be like, so that all uses of it work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

OTHER_RECORD = "other_record"
"""The name of an alternative record for another of the readers that try to read it."""


@dataclass(frozen=True, slots=True)
class Anything:
    """Unknown but for perhaps a name."""

    hint: str = ""
    """The value's name where it is used: a key, an attribute, a parameter."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A text, number, boolean, bytes or `None`, with the values that the slice's tests want."""

    kind: Literal["text", "char", "int", "number", "float", "bool", "bytes", "none"]
    hint: str = ""
    values: tuple[object, ...] = ()
    """The value for which the slice goes on, then one for each other outcome of a test; empty if
    any value will do."""
    is_free: bool = True
    """Whether no test depends on it, so that several may differ slightly."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One key of a mapping, or attribute of an object."""

    key: object
    shape: Shape
    may_be_missing: bool = False
    """Whether the slice handles its absence."""
    is_unwanted: bool = False
    """Whether the slice goes on if it is absent."""


@dataclass(frozen=True, slots=True)
class Mapping:
    """A dictionary with these keys."""

    entries: tuple[Entry, ...] = ()
    rest: Shape | None = None
    """The shape of further values, under unknown keys."""
    hint: str = ""
    has_any_key: bool = False
    """Whether callers of the slice may ask for any key."""
    first: Shape | None = None
    """The shape of the first further value, if it differs."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list, or a tuple, of items that are alike but for some at known positions.

    Answers are plain data, with a list in place of a set.
    """

    item: Shape
    parts: tuple[tuple[int, Shape], ...] = ()
    length: int = 2
    is_tested: bool = False
    """Whether the slice handles an empty one."""
    skipped: int = 0
    """Number of items at the start that a loop over the sequence skips."""
    lengths: tuple[int, ...] = ()
    """Other lengths, with which tests of the length have other outcomes."""
    type_name: Literal["list", "set", "deque", "tuple"] = "list"


@dataclass(frozen=True, slots=True)
class Holding:
    """A text that holds a value in a format."""

    format: tuple[object, ...]
    """`("json",)`, `("csv", "rows" | "records" | "frame")`, `("date", layout)`, …"""
    inner: Shape
    hint: str = ""
    is_bytes: bool = False
    is_tested: bool = False
    """Whether the slice handles a text that cannot be parsed."""


@dataclass(frozen=True, slots=True)
class Element:
    """An element of HTML or XML."""

    tag: str
    attributes: tuple[tuple[str, Shape], ...] = ()
    text: Shape | None = None
    children: tuple[Element, ...] = ()
    count: int = 1
    """Number of copies side by side."""
    parts: tuple[tuple[int, Element], ...] = ()
    """The copies that differ, with their positions."""


@dataclass(frozen=True, slots=True)
class Markup:
    """A text of HTML or XML."""

    root: Element
    is_xml: bool = False


@dataclass(frozen=True, slots=True)
class Object:
    """An object with attributes; called, iterated and subscripted, too, if the slice does so."""

    attributes: tuple[Entry, ...] = ()
    result: Shape | None = None
    """The shape of a call's result."""
    item: Shape | None = None
    """The shape of its items, when iterated or subscripted."""
    type_name: str = ""
    """Dotted name of its class, if the slice states it."""
    hint: str = ""
    is_awaited: bool = False
    """Whether a call's result is awaited."""
    is_entered: bool = False
    """Whether it is used in a `with`."""
    own: object = None
    """The class of the slice whose instance it is."""
    is_class: bool = False
    """Whether it is that class itself."""
    dimensions: int = 0
    """Number of dimensions of an array; 0 if unknown."""
    columns: Shape | None = None
    """Shape of a row of a table."""


@dataclass(frozen=True, slots=True)
class Maybe:
    """`None`, or the inner shape: the slice handles both."""

    shape: Shape
    is_none: bool = False
    """Whether `None` is the one for which the slice goes on."""


@dataclass(frozen=True, slots=True)
class Either:
    """The shape with which the slice goes on, or another type that it handles."""

    shape: Shape
    others: tuple[tuple[str, Shape], ...]
    """Names and shapes of the others."""


Shape = Anything | Plain | Mapping | Sequence | Holding | Markup | Object | Maybe | Either


def holds_objects(shape: Shape | None) -> bool:
    """Whether a shape contains an object with attributes, which plain data cannot have."""
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
