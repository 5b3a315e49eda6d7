"""The solver: inclusion constraints between variables, to a fixed point.

A worklist with difference propagation (Pearce, Kelly, Hankin: Online cycle detection and difference
propagation, 2004): each variable passes on only its new values. Values only ever grow, so the order
of the work does not change the answer, with one exception: a variable holds a limited number of
values of each kind, because more would be of no use.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping

from .interned_values import ANY, Sort

Watcher = Callable[[int], object]
"""Called with each value that a variable gets; what it returns is dropped."""

_LARGE = 8
"""Size up to which sets are not limited."""
_MOST: dict[Sort, int] = {"text": 16, "integer": 4, "bulky": 8, "object": 96}
"""Maximum number of values of a sort; more strings or integers become any value."""


class Engine:
    """Variables with their values, and the propagation between them."""

    def __init__(self, sorts: Mapping[int, Sort]) -> None:
        """Args: the values of which a variable holds a limited number, with their sorts."""
        self.holds: list[set[int]] = []
        self._successors: list[list[int] | None] = []
        self._watchers: list[list[Watcher] | None] = []
        self._pending: dict[int, set[int]] = {}
        self._queue: deque[int] = deque()
        self._sorts = sorts
        self._counts: dict[int, dict[Sort, int]] = {}

    def variables(self, count: int) -> int:
        """Create variables, and return the first one's number."""
        first = len(self.holds)
        self.holds.extend(set() for _ in range(count))
        self._successors.extend([None] * count)
        self._watchers.extend([None] * count)
        return first

    def variable(self) -> int:
        """Create one variable, and return its number."""
        self.holds.append(set())
        self._successors.append(None)
        self._watchers.append(None)
        return len(self.holds) - 1

    def add(self, variable: int, values: Iterable[int]) -> None:
        """Add these values to the variable."""
        present = self.holds[variable]
        new = set(values) - present
        if not new:
            return
        if len(present) + len(new) > _LARGE:
            new = self._limited(variable, present, new)
            if not new:
                return
        present |= new
        pending = self._pending.get(variable)
        if pending is None:
            self._pending[variable] = new
            self._queue.append(variable)
        else:
            pending |= new

    def _limited(self, variable: int, present: set[int], new: set[int]) -> set[int]:
        """Return the new values that a large set still accepts."""
        sorts = self._sorts
        counts = self._counts.get(variable)
        if counts is None:
            counts = self._counts[variable] = dict.fromkeys(_MOST, 0)
            for value in present:
                sort = sorts.get(value)
                if sort is not None:
                    counts[sort] += 1
        taken: set[int] = set()
        for value in sorted(new) if len(new) > 1 else new:
            sort = sorts.get(value)
            if sort is None:
                taken.add(value)
            elif counts[sort] < _MOST[sort]:
                counts[sort] += 1
                taken.add(value)
            elif value < ANY and ANY not in present:
                taken.add(ANY)
        return taken

    def put(self, variable: int, value: int) -> None:
        """Add this value to the variable."""
        if value not in self.holds[variable]:
            self.add(variable, (value,))

    def connect(self, source: int, target: int | None) -> None:
        """Make the target hold all values of the source."""
        if target is None or source == target:
            return
        successors = self._successors[source]
        if successors is None:
            self._successors[source] = [target]
        elif len(successors) < 8 and target in successors:
            return
        else:
            successors.append(target)
        present = self.holds[source]
        if present:
            self.add(target, present)

    def watch(self, variable: int, watcher: Watcher) -> None:
        """Call the watcher with each of the variable's values, present and future, once."""
        watchers = self._watchers[variable]
        if watchers is None:
            self._watchers[variable] = [watcher]
        else:
            watchers.append(watcher)
        # pending values will reach every watcher, this one included
        for value in sorted(self.holds[variable] - self._pending.get(variable, _NOTHING)):
            watcher(value)

    def watch_pairs(self, one: int, other: int, action: Callable[[int, int], None]) -> None:
        """Call the action with each pair of the values of two variables, once."""
        done: set[tuple[int, int]] = set()

        def meet(first: int, second: int) -> None:
            if (first, second) not in done:
                done.add((first, second))
                action(first, second)

        self.watch(one, lambda first: [meet(first, n) for n in sorted(self.holds[other])])
        self.watch(other, lambda second: [meet(n, second) for n in sorted(self.holds[one])])

    def release(self) -> None:
        """Drop all tables; the watchers refer back to this object."""
        for table in (self.holds, self._successors, self._watchers, self._pending, self._counts):
            table.clear()

    def solve(self) -> None:
        """Propagate values until nothing changes."""
        queue, pending = self._queue, self._pending
        while queue:
            variable = queue.popleft()
            new = pending.pop(variable)
            successors = self._successors[variable]
            if successors is not None:
                for target in successors:
                    self.add(target, new)
            watchers = self._watchers[variable]
            if watchers is not None:
                values = sorted(new)
                for watcher in tuple(watchers):
                    for value in values:
                        watcher(value)


_NOTHING: frozenset[int] = frozenset()
