"""The encoder as the kinds of values see it. Only type checkers read this module."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

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
        """How instances of the class keep their state."""
        ...

    def label(self, cls: Class) -> str:
        """The name of a class; `(local)` behind it where the name does not lead back to it."""
        ...

    def name(self, module: str, qualname: str) -> str:
        """A dotted name in which the script's module is always called the same."""
        ...

    def opaque(self, cls: Class, reason: str, name: str = "") -> Node:
        """A node for what cannot be read; the reason is for people."""
        ...

    def value(self, cls: Class, /, **parts: Raw) -> Node:
        """A node for a value that is known by named parts."""
        ...


Write: TypeAlias = Callable[[ValueEncoder, Raw], Child]
"""Describes a value."""
Entry: TypeAlias = Callable[[ValueEncoder, Raw], Raw]
"""Describes what a base class holds, of an instance of a class that derives from it."""
