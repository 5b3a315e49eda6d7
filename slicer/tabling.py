"""Memoised recursive evaluation of answers that only grow, as in tabled logic programming.

Questions that lead to one another are found as Tarjan finds strongly connected components (SIAM J.
Comput. 1972). Only the one that came first iterates, from nothing until nothing changes, and all of
them become final together. So no answer depends on which question was asked first, and a cycle is
gone through few times, however many cycles it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

_Answer = TypeVar("_Answer")

_FINAL = 1 << 30
"""Greater than any place: the answer depends on no open question."""


@dataclass(slots=True)
class _Open(Generic[_Answer]):
    """A question that is being answered, or whose answer is not final."""

    place: int
    """Its place among the open questions."""
    answer: _Answer
    is_active: bool = True
    is_consulted: bool = False
    """Whether it was asked again while it was being answered."""


class Table(Generic[_Answer]):
    """A table of answers, and of those that are not final."""

    def __init__(self, nothing: _Answer, differ: Callable[[_Answer, _Answer], bool]) -> None:
        """Start with no answers.

        Args:
            nothing: what a cycle begins with.
            differ: whether two answers say different things.
        """
        self._nothing = nothing
        self._differ = differ
        self._done: dict[Hashable, _Answer] = {}
        self._open: dict[Hashable, _Open[_Answer]] = {}
        self._stack: list[Hashable] = []
        self._latest: dict[Hashable, _Answer] = {}
        """Answers of the round before, where a cycle is gone through again."""
        self._low = _FINAL
        """The place of the outermost open question that the answer depends on."""
        self._is_restless = False
        """Whether an answer was consulted that has changed since."""

    def solve(self, key: Hashable, compute: Callable[[], _Answer]) -> _Answer:
        """The answer to a question; `compute` may ask further ones, also this one again."""
        if key in self._done:
            return self._done[key]
        known = self._open.get(key)
        if known is None:
            return self._solve(key, compute)
        known.is_consulted |= known.is_active
        self._low = min(self._low, known.place)
        return known.answer

    def _solve(self, key: Hashable, compute: Callable[[], _Answer]) -> _Answer:
        # `compute` is called from here, not further in: answers lead to one another very deep
        place = len(self._stack)
        low, is_restless = self._low, self._is_restless
        try:
            while True:
                entry = self._begin(key, place)
                answer = compute()
                self._end(entry, answer)
                if self._low < place or not self._is_restless:
                    break
                self._leave(place)
        except BaseException:
            self._leave(place)
            raise
        if self._low >= place:
            self._close(place)
            self._is_restless = is_restless
            self._low = low
        else:
            self._is_restless |= is_restless
            self._low = min(low, self._low)
        return answer

    def _begin(self, key: Hashable, place: int) -> _Open[_Answer]:
        """Open a question, with what it gave in the round before."""
        entry = self._open[key] = _Open(place, self._latest.get(key, self._nothing))
        self._stack.append(key)
        self._low, self._is_restless = _FINAL, False
        return entry

    def _end(self, entry: _Open[_Answer], answer: _Answer) -> None:
        """Note an answer, and whether somebody was given another one meanwhile."""
        if entry.is_consulted and self._differ(entry.answer, answer):
            self._is_restless = True
        entry.is_active = False
        entry.answer = answer

    def _leave(self, place: int) -> None:
        """Take back the questions from that place on; what they gave begins the next round."""
        for key in self._stack[place:]:
            self._latest[key] = self._open.pop(key).answer
        del self._stack[place:]

    def _close(self, place: int) -> None:
        """Make the answers from that place on final."""
        for key in self._stack[place:]:
            self._done[key] = self._open.pop(key).answer
        del self._stack[place:]
        if not self._stack:
            self._latest.clear()
