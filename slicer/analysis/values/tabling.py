"""Memoised recursive evaluation of monotone answers, as in tabled logic programming.

Mutually recursive queries are found as strongly connected components (Tarjan, SIAM J. Comput.
1972). Only the first query of a component iterates, from empty until nothing changes, and all its
queries become final together. So no answer depends on which query came first, and each component
needs few iterations, however many cycles it has.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

_Answer = TypeVar("_Answer")

_FINAL = 1 << 30
"""Greater than any position: the answer depends on no open query."""


@dataclass(slots=True)
class _Open(Generic[_Answer]):
    """A query that is being evaluated, or whose answer is not final."""

    place: int
    """Its position on the stack of open queries."""
    answer: _Answer
    is_active: bool = True
    is_consulted: bool = False
    """Whether it was queried again while it was being evaluated."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """An opened query, with the saved state of the enclosing ones."""

    key: Hashable
    place: int
    low: int
    is_restless: bool


class Table(Generic[_Answer]):
    """A table of final answers, and of those that are not final."""

    def __init__(self, nothing: _Answer, differ: Callable[[_Answer, _Answer], bool]) -> None:
        """Start with no answers.

        Args:
            nothing: the initial answer in a cycle.
            differ: whether two answers differ.
        """
        self._nothing = nothing
        self._differ = differ
        self._done: dict[Hashable, _Answer] = {}
        self._open: dict[Hashable, _Open[_Answer]] = {}
        self._stack: list[Hashable] = []
        self._latest: dict[Hashable, _Answer] = {}
        """Answers of the previous round, when a cycle is iterated again."""
        self._low = _FINAL
        """The position of the outermost open query that the answer depends on."""
        self._is_restless = False
        """Whether an answer was used that has changed since."""

    def solve(self, key: Hashable, compute: Callable[[], _Answer]) -> _Answer:
        """Return the answer to a query; `compute` may make further queries, even this one."""
        known = self.known(key)
        if known is not None:
            return known
        # `compute` is called here, to save stack frames: queries nest very deep
        begun = self.begin(key)
        try:
            while True:
                answer = compute()
                if self.finish(begun, answer):
                    return answer
        except BaseException:
            self.abandon(begun)
            raise

    def known(self, key: Hashable) -> _Answer | None:
        """Return the known answer; for an open query, its provisional answer."""
        if key in self._done:
            return self._done[key]
        known = self._open.get(key)
        if known is None:
            return None
        known.is_consulted |= known.is_active
        self._low = min(self._low, known.place)
        return known.answer

    @property
    def is_solving(self) -> bool:
        """Whether a query is being evaluated, so that answers may not be final."""
        return bool(self._stack)

    def so_far(self, key: Hashable) -> _Answer:
        """Return the answer of the round before, for a query that is being evaluated."""
        return self._open[key].answer

    def begin(self, key: Hashable) -> OpenQuestion:
        """Open a query; it must be evaluated until `finish` returns true."""
        begun = OpenQuestion(key, len(self._stack), self._low, self._is_restless)
        self._enter(begun)
        return begun

    def finish(self, begun: OpenQuestion, answer: _Answer) -> bool:
        """Record an answer, and return whether it is stable; else evaluate the query again."""
        place = begun.place
        entry = self._open[begun.key]
        if entry.is_consulted and self._differ(entry.answer, answer):
            self._is_restless = True
        entry.is_active = False
        entry.answer = answer
        if self._low < place:
            self._is_restless |= begun.is_restless
            self._low = min(begun.low, self._low)
        elif self._is_restless:
            self._leave(place)
            self._enter(begun)
            return False
        else:
            self._close(place)
            self._low, self._is_restless = begun.low, begun.is_restless
        return True

    def abandon(self, begun: OpenQuestion) -> None:
        """Drop a query, and those that were opened after it."""
        self._leave(begun.place)

    def _enter(self, begun: OpenQuestion) -> None:
        """Open a query, with its answer of the previous round."""
        last = self._latest.get(begun.key, self._nothing)
        self._open[begun.key] = _Open(begun.place, last)
        self._stack.append(begun.key)
        self._low, self._is_restless = _FINAL, False

    def _leave(self, place: int) -> None:
        """Drop the queries from that position on; their answers begin the next round."""
        for key in self._stack[place:]:
            self._latest[key] = self._open.pop(key).answer
        del self._stack[place:]

    def _close(self, place: int) -> None:
        """Make the answers from that position on final."""
        for key in self._stack[place:]:
            self._done[key] = self._open.pop(key).answer
        del self._stack[place:]
        if not self._stack:
            self._latest.clear()
