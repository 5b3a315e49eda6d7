"""Tables of member queries: which names the kept code accesses on which receivers."""

from __future__ import annotations

from typing import NamedTuple

from ...analysis.inference import Inference
from ...analysis.scopes.definitions import ClassInfo
from ...syntax.call_shapes import CallShape
from ..kept_definitions import Reason


class Dispatch(NamedTuple):
    """A member of one class, named after the class of an object of another."""

    receiver: ClassInfo
    prefix: str
    suffix: str
    kind: ClassInfo


class Pattern(NamedTuple):
    """A computed member name of a class and of those that derive from it; of `None`, of any."""

    owner: ClassInfo | None
    prefix: str
    suffix: str
    is_method_left: bool = False
    """Whether a plain method of such a name is as good as none."""


class MemberQueries:
    """The names that one slice asks its values for."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference
        self.live_names: dict[str, Reason] = {}
        """Names asked for on unknown receivers."""
        self.live_calls: dict[CallShape, Reason] = {}
        """Shapes of the calls of unknown objects."""
        self.accessed: dict[ClassInfo, dict[str, Reason]] = {}
        """Class → names asked for on it, its instances or its subclasses."""
        self.abstract_accessed: dict[str, dict[str, Reason]] = {}
        """Abstract type → names asked for on its instances."""
        self.super_accessed: dict[ClassInfo, dict[str, Reason]] = {}
        """Class → names asked for on `super()` in its methods."""
        self.all_members: dict[ClassInfo | None, Reason] = {}
        """Classes (`None`: all) whose dunder members external code may call."""
        self.patterns: dict[Pattern, Reason] = {}
        """Computed names."""
        self.dispatches: dict[Dispatch, Reason] = {}
        self.strings: dict[str, None] = {}
        """Texts of the slice."""
        self.affixes: dict[tuple[str, str], None] = {}
        """Prefix and suffix between which any text of the slice may be a member's name."""
        self.string_reason: Reason | None = None

    def is_asked(self, cls: ClassInfo, name: str) -> bool:
        """Whether the slice may ask the class, or one that derives from it, for the attribute."""
        if name.startswith("__") or name in self.live_names or self.is_spelled(name):
            return True

        def is_kin(other: ClassInfo | None) -> bool:
            mro = self._inference.mro
            return other is None or cls in mro(other) or other in mro(cls)

        return (
            any(name in asked for asked in self.abstract_accessed.values())
            or any(name in asked and is_kin(other) for other, asked in self.accessed.items())
            or any(
                name.startswith(prefix) and name.endswith(suffix) and is_kin(other)
                for other, prefix, suffix, *_ in (*self.patterns, *self.dispatches)
            )
        )

    def is_spelled(self, name: str) -> bool:
        """Whether a text of the slice, between some prefix and suffix, gives the name."""
        return any(
            name.startswith(prefix)
            and name.endswith(suffix)
            and name[len(prefix) : len(name) - len(suffix)] in self.strings
            for prefix, suffix in self.affixes
        )
