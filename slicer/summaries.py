"""Summaries of functions: what a call may change, final also where functions call one another.

In a circle of functions, the summaries are computed again until they stay the same, so that none of
them depends on the function that was asked for first.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field

from .roots import Inside, Object, Parameter

Key = tuple[str, ast.AST]
"""Name of the module, and the function."""


@dataclass(frozen=True, slots=True)
class Called:
    """A parameter that is called."""

    parameter: Parameter
    handed: tuple[tuple[int, Object], ...] = ()
    """Positions of what it is called with, where that is an object of a module."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A parameter of which a method is called that may change it: that depends on what it is."""

    parameter: Parameter
    method: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What a call of a function may do."""

    objects: tuple[Object, ...] = ()
    """Module-level objects that it changes."""
    changed: frozenset[str] = frozenset()
    """Parameters whose object it changes."""
    called: frozenset[str] = frozenset()
    """Parameters that it calls."""
    handed: tuple[tuple[str, int, Object], ...] = ()
    """These with what they are called with, and at which position."""
    asked: frozenset[tuple[str, str]] = frozenset()
    """Parameters, each with a method of it that is called and may change it."""
    outer: tuple[Parameter | Called | Asked | Inside, ...] = ()
    """The same of parameters of the functions around it."""
    inside: frozenset[tuple[str, str]] = frozenset()
    """Parameters, each with an attribute in which it holds an object that is changed."""

    def changes_at(self, position: int, args: ast.arguments) -> bool:
        """Whether the function changes the object of its parameter at the position."""
        order = [arg.arg for arg in (*args.posonlyargs, *args.args)]
        return position < len(order) and order[position] in self.changed

    def inside_at(self, position: int, args: ast.arguments) -> list[str]:
        """Attributes of the parameter at the position in which something is changed."""
        order = [arg.arg for arg in (*args.posonlyargs, *args.args)]
        return sorted(field for name, field in self.inside if order[position:][:1] == [name])

    def differs(self, other: Summary) -> bool:
        """Whether the two say different things, in whatever order."""
        return (
            set(self.objects) != set(other.objects)
            or self.changed != other.changed
            or self.called != other.called
            or set(self.handed) != set(other.handed)
            or self.asked != other.asked
            or self.inside != other.inside
            or set(self.outer) != set(other.outer)
        )


@dataclass(slots=True)
class _Frame:
    depth: int
    value: Summary = field(default_factory=Summary)
    consulted: bool = False
    dependents: list[Key] = field(default_factory=list[Key])


class Summaries:
    """A table of summaries, and of those still being computed."""

    def __init__(self) -> None:
        self._done: dict[Key, Summary] = {}
        self._provisional: dict[Key, tuple[Summary, int]] = {}
        self._active: dict[Key, _Frame] = {}
        self._low = 1 << 30
        """The outermost function still being computed that was asked for."""

    def get(self, key: Key, compute: Callable[[], Summary]) -> Summary:
        """The summary of a function; `compute` may ask for others, also for this one again."""
        known = self._done.get(key)
        if known is not None:
            return known
        if key in self._provisional:
            value, low = self._provisional[key]
            self._low = min(self._low, low)
            return value
        frame = self._active.get(key)
        if frame is not None:
            frame.consulted = True
            self._low = min(self._low, frame.depth)
            return frame.value
        outer, frame = self._low, _Frame(len(self._active))
        self._active[key] = frame
        try:
            self._iterate(frame, compute)
        finally:
            del self._active[key]
        self._settle(key, frame)
        self._low = min(outer, self._low)
        return frame.value

    def _iterate(self, frame: _Frame, compute: Callable[[], Summary]) -> None:
        while True:
            self._low = 1 << 30
            value = compute()
            is_stable = not frame.consulted or not value.differs(frame.value)
            frame.value = value
            if is_stable:
                return
            for dependent in frame.dependents:
                self._provisional.pop(dependent, None)
            frame.dependents.clear()

    def _settle(self, key: Key, frame: _Frame) -> None:
        """What was computed inside a circle is final together with its outermost function."""
        if self._low >= frame.depth:
            self._done[key] = frame.value
            for dependent in frame.dependents:
                if dependent in self._provisional:
                    self._done[dependent] = self._provisional.pop(dependent)[0]
            return
        holder = next(f for f in self._active.values() if f.depth == self._low)
        for dependent in (key, *frame.dependents):
            known = self._provisional.get(dependent)
            value = frame.value if known is None else known[0]
            self._provisional[dependent] = (value, self._low)
            holder.dependents.append(dependent)
