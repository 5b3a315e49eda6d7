"""Time limits for one query, and for all of them."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Self, TypeVar

from .receiver_answers import Budget

T = TypeVar("T")

_TICK = 0.05
_AGAIN = 0.5
"""A query is interrupted again after so many seconds, in case it caught the first interruption."""


class TimeUpError(BaseException):
    """A query takes too long; it is a `BaseException`, so that no `except Exception` stops it."""


class Clock:
    """Interrupts actions that take too long; use it as a context manager."""

    def __init__(self, budget: Budget) -> None:
        self._each = budget.seconds_each
        self._end = time.perf_counter() + budget.seconds
        self._deadline: float | None = None
        self._previous: Callable[[int, FrameType | None], object] | int | None = None
        self._ticks = False

    def __enter__(self) -> Self:
        if _can_tick():
            self._previous = signal.signal(signal.SIGALRM, self._check)
            signal.setitimer(signal.ITIMER_REAL, _TICK, _TICK)
            self._ticks = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        if self._ticks:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._previous)

    @property
    def is_over(self) -> bool:
        """Whether the time for all queries is used up."""
        return time.perf_counter() >= self._end

    def limited(self, action: Callable[[], T]) -> T:
        """Return the action's result.

        Raises:
            TimeUpError: it took too long.
        """
        try:
            try:
                self._deadline = min(time.perf_counter() + self._each, self._end)
                return action()
            finally:
                self._deadline = None
        except TimeUpError:
            self._deadline = None  # the tick may have come just before the timer was cleared
            raise

    def _check(self, _number: int, _frame: FrameType | None) -> None:
        now = time.perf_counter()
        if self._deadline is not None and now >= self._deadline:
            self._deadline = now + _AGAIN
            raise TimeUpError


def _can_tick() -> bool:
    """Whether there is an interval timer that no other code uses."""
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getitimer(signal.ITIMER_REAL)[0] == 0.0
    )
