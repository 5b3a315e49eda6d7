"""A call that ends when its time is up: it has computed for too long, or only waits.

Time is the processor's, since the clock also counts what others do on a busy machine. Who waits for
something that never comes uses none, and is ended once the clock has gone on twice without it.
"""

from __future__ import annotations

import builtins
import signal
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..raw import Raw

__builtins__ = dict(vars(builtins))

WAITING = 10.0
"""How many times as long the clock may take where there is progress: the machine may be busy."""

_TIMES_STUCK = 3.0
"""How many times as long a call may compute that does not hear that its time is up."""
_PROGRESS = 0.002
"""Seconds of processor time; who gets less from one tick to the next only waits."""
_TICKS_WITHOUT = 2

_MOST_LATE = 3
"""Calls that do not end, until it is plain that others will not, either."""
_LEAST_SECONDS = 0.25
_TIMES_LONGER = 20.0

_cpu = time.process_time
_signal, _set_timer = signal.signal, signal.setitimer


class TimeBudget:
    """How long a call may take: less once some have not ended, as long as all others are quick."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._late = 0
        self._longest: float | None = None

    def record_duration(self, taken: float, *, is_late: bool) -> None:
        """Learn of a call, with the seconds that it has taken."""
        if is_late:
            self._late += 1
        else:
            self._longest = max(self._longest or 0.0, taken)
        if self._late >= _MOST_LATE and self._longest is not None:
            enough = max(_LEAST_SECONDS, _TIMES_LONGER * self._longest)
            self.seconds = min(self.seconds, enough)


class _TimeIsUp(BaseException):
    """Raised in a call that takes too long."""


class _Clock:
    """Hears of each tick while the call runs, and raises in it when its time is up."""

    def __init__(self, ticks: int) -> None:
        self.is_running = True
        self.is_late = False
        self._left = ticks
        self._idle = 0
        self._spent = _cpu()

    def tick(self, _number: int, _frame: Raw) -> None:
        """One more period has passed at the clock."""
        spent = _cpu()
        self._idle = self._idle + 1 if spent - self._spent < _PROGRESS else 0
        self._spent = spent
        self._left -= 1
        if self._idle >= _TICKS_WITHOUT or self._left <= 0:
            self.ring(_number, _frame)

    def ring(self, _number: int, _frame: Raw) -> None:
        """Time is up."""
        if self.is_running:
            self.is_late = True
            raise _TimeIsUp


def limited(run: Callable[[], str], seconds: float) -> str:
    """What it returns; empty where it computes for longer, or only waits.

    Code that does not hear of it, because it never comes back from C or catches all exceptions,
    ends the process after some time.
    """
    period = seconds / 2
    clock = _Clock(int(WAITING * seconds / period))
    _signal(signal.SIGALRM, clock.tick)
    _signal(signal.SIGPROF, clock.ring)
    _signal(signal.SIGVTALRM, signal.SIG_DFL)
    _set_timer(signal.ITIMER_VIRTUAL, seconds * _TIMES_STUCK)
    _set_timer(signal.ITIMER_PROF, seconds, seconds)
    _set_timer(signal.ITIMER_REAL, period, period)
    try:
        text = run()
        clock.is_running = False
    except _TimeIsUp:
        text = ""
    finally:
        clock.is_running = False
        for timer in (signal.ITIMER_REAL, signal.ITIMER_PROF, signal.ITIMER_VIRTUAL):
            _set_timer(timer, 0)
    return "" if clock.is_late else text
