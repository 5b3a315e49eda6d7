"""Tables of member queries: which names the kept code accesses on which receivers."""

from __future__ import annotations

from typing import NamedTuple

from ...analysis.inference import Inference
from ...analysis.scopes.definitions import ClassInfo
from ...syntax.call_shapes import CallShape
from ..kept_definitions import Reason


class Dispatch(NamedTuple):
    """An access to a member of one class, named after the class of another object."""

    receiver: ClassInfo
    prefix: str
    suffix: str
    kind: ClassInfo


class Pattern(NamedTuple):
    """A computed member name of a class and its subclasses; `None` stands for any class."""

    owner: ClassInfo | None
    prefix: str
    suffix: str
    is_method_left: bool = False
    """Whether a plain method of such a name is treated like a missing name."""


class MemberQueries:
    """The names that one slice accesses on its values."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference
        self.live_names: dict[str, Reason] = {}
        """Names accessed on unknown receivers."""
        self.live_calls: dict[CallShape, Reason] = {}
        """Shapes of the calls of unknown objects."""
        self.accessed: dict[ClassInfo, dict[str, Reason]] = {}
        """Class → names accessed on it, its instances or its subclasses."""
        self.abstract_accessed: dict[str, dict[str, Reason]] = {}
        """Abstract type → names accessed on its instances."""
        self.super_accessed: dict[ClassInfo, dict[str, Reason]] = {}
        """Class → names accessed on `super()` in its methods."""
        self.all_members: dict[ClassInfo | None, Reason] = {}
        """Classes (`None`: all) whose special members external code may call."""
        self.patterns: dict[Pattern, Reason] = {}
        """Computed names."""
        self.dispatches: dict[Dispatch, Reason] = {}
        self.strings: dict[str, None] = {}
        """Strings of the slice."""
        self.affixes: dict[tuple[str, str], None] = {}
        """Prefix and suffix between which any string of the slice may form a member's name."""
        self.string_reason: Reason | None = None

    def is_queried(self, cls: ClassInfo, name: str) -> bool:
        """Whether the slice may access the attribute on the class or on a derived class."""
        if name.startswith("__") or name in self.live_names or self.matches_text_pattern(name):
            return True

        def is_related(other: ClassInfo | None) -> bool:
            mro = self._inference.mro
            return other is None or cls in mro(other) or other in mro(cls)

        return (
            any(name in names for names in self.abstract_accessed.values())
            or any(name in names and is_related(other) for other, names in self.accessed.items())
            or any(
                name.startswith(prefix) and name.endswith(suffix) and is_related(other)
                for other, prefix, suffix, *_ in (*self.patterns, *self.dispatches)
            )
        )

    def matches_text_pattern(self, name: str) -> bool:
        """Whether a string of the slice, between some prefix and suffix, forms the name."""
        return any(
            name.startswith(prefix)
            and name.endswith(suffix)
            and name[len(prefix) : len(name) - len(suffix)] in self.strings
            for prefix, suffix in self.affixes
        )
