"""Live classes: those of which the slice may hold instances, by ancestor and by member name."""

from __future__ import annotations

from ...analysis.inference import Inference
from ...analysis.scopes.definitions import ClassInfo


class LiveInstances:
    """The live classes of one slice."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference
        self.classes: dict[ClassInfo, None] = {}
        self.lineage: dict[ClassInfo, list[ClassInfo]] = {}
        """Class → live classes that derive from it, itself included."""
        self.having: dict[str, list[ClassInfo]] = {}
        """Member name → live classes that define or inherit it."""
        self.derived: list[ClassInfo] = []
        """Live classes with an external base."""

    def add(self, cls: ClassInfo) -> None:
        """Record that instances of one more class may exist."""
        self.classes[cls] = None
        for owner in self._inference.mro(cls):
            self.lineage.setdefault(owner, []).append(cls)
        for name in self._inference.member_names(cls):
            self.having.setdefault(name, []).append(cls)
        if self._inference.foreign_bases(cls):
            self.derived.append(cls)

    def deriving(self, cls: ClassInfo) -> list[ClassInfo]:
        """Return a new list of the live classes that derive from the class, itself included."""
        return list(self.lineage.get(cls, ()))

    def with_member(self, name: str) -> list[ClassInfo]:
        """Return a new list of the live classes that define or inherit the name."""
        return list(self.having.get(name, ()))
