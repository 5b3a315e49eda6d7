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
"""After so many seconds a question is broken off once more, should it have caught the first."""


class TimeUpError(BaseException):
    """A question takes too long; no `except Exception` on the way may stop it."""


class Clock:
    """Breaks off what takes too long; to be used as a context."""

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
        """Whether the time for all questions is used up."""
        return time.perf_counter() >= self._end

    def limited(self, action: Callable[[], T], *, all_of_it: bool = False) -> T:
        """What the action gives.

        Args:
            action: what to do.
            all_of_it: whether it may take all the time that is left.

        Raises:
            TimeUpError: it took too long.
        """
        own = self._end if all_of_it else time.perf_counter() + self._each
        try:
            try:
                self._deadline = min(own, self._end)
                return action()
            finally:
                self._deadline = None
        except TimeUpError:
            self._deadline = None  # the tick may have come just before it was taken away
            raise

    def _check(self, _number: int, _frame: FrameType | None) -> None:
        now = time.perf_counter()
        if self._deadline is not None and now >= self._deadline:
            self._deadline = now + _AGAIN
            raise TimeUpError


def _can_tick() -> bool:
    """Whether there is a timer that nobody else uses."""
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getitimer(signal.ITIMER_REAL)[0] == 0.0
    )
