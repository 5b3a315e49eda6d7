"""Memoised recursive evaluation with least fixed points in cycles.

Mutually recursive queries ("what does f return?" asks "what is x?", which asks the first again) are
iterated from the empty set until nothing changes, as in tabled logic programming. Answers inside a
cycle become final together with the query that opened it. So the answer to a query does not depend
on which query came first.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from .abstract_values import NOTHING, Values, join

MAX_VALUES = 12
"""Maximum size of a set; larger ones are treated as unknown."""


@dataclass(slots=True)
class _Frame:
    depth: int
    value: Values = NOTHING
    consulted: bool = False
    dependents: list[Hashable] = field(default_factory=list[Hashable])


class Fixpoint:
    """A table of final answers, and of those still being computed."""

    def __init__(self) -> None:
        self._done: dict[Hashable, Values] = {}
        self._provisional: dict[Hashable, tuple[Values, int]] = {}
        self._active: dict[Hashable, _Frame] = {}
        self._frames: list[_Frame] = []
        self._low = 1 << 30

    @property
    def is_solving(self) -> bool:
        """Whether a query is being evaluated, so that answers may not be final."""
        return bool(self._frames)

    def solve(self, key: Hashable, compute: Callable[[], Values]) -> Values:
        """Return the answer to a query; `compute` may make further queries, even this one."""
        done = self._done
        if key in done:
            return done[key]
        if key in self._provisional:
            value, low = self._provisional[key]
            self._low = min(self._low, low)
            return value
        frame = self._active.get(key)
        if frame is not None:
            frame.consulted = True
            self._low = min(self._low, frame.depth)
            return frame.value
        return self._solve(key, compute)

    def _solve(self, key: Hashable, compute: Callable[[], Values]) -> Values:
        frame = _Frame(len(self._frames))
        self._active[key] = frame
        self._frames.append(frame)
        outer = self._low
        try:
            while True:
                self._low = 1 << 30
                value = join(frame.value, compute())
                if value is not None and len(value) > MAX_VALUES:
                    value = None
                if not frame.consulted or value == frame.value:
                    break
                frame.value = value
                for dependent in frame.dependents:
                    self._provisional.pop(dependent, None)
                frame.dependents.clear()
        finally:
            self._frames.pop()
            del self._active[key]
        low = self._low
        if low >= frame.depth:
            self._done[key] = value
            for dependent in frame.dependents:
                self._done[dependent] = self._provisional.pop(dependent)[0]
        else:
            holder = self._frames[low]
            for dependent in (key, *frame.dependents):
                known = self._provisional.get(dependent)
                self._provisional[dependent] = (value if known is None else known[0], low)
                holder.dependents.append(dependent)
        self._low = min(outer, low)
        return value
