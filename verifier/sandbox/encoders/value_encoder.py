"""The encoder as the kinds of values see it. Only type checkers read this module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from .. import raw
    from ..raw import Class, Raw
    from .nodes import Child, Node


class ValueEncoder(Protocol):
    """Describes the values of one observation."""

    trace: Raw
    """Runs code of iterators that are driven, if it is given."""
    after_first: Callable[[], None] | None
    """Called once the first iterator that is driven has given its first item."""
    closures: int
    """Functions that were called."""

    def layout(self, cls: Class) -> raw.Layout:
        """Return the state layout of the class's instances."""
        ...

    def label(self, cls: Class) -> str:
        """Return the name of a class, marked `(local)` if the name does not lead back to it."""
        ...

    def name(self, module: str, qualname: str) -> str:
        """Return a dotted name that calls the script's module the same in every run."""
        ...

    def opaque(self, cls: Class, reason: str, name: str = "") -> Node:
        """Return a node for an unreadable value; the reason is for people."""
        ...

    def value(self, cls: Class, /, **parts: Raw) -> Node:
        """Return a node for a value that is described by named parts."""
        ...


if TYPE_CHECKING:
    Write: TypeAlias = Callable[[ValueEncoder, Raw], Child]
    """Describes a value."""
    Entry: TypeAlias = Callable[[ValueEncoder, Raw], Raw]
    """Describes what a base class holds, of an instance of a class that derives from it."""
