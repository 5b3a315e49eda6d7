"""Time limits of calls: a call ends once it computed for too long, or only waits.

Time is processor time, since the clock also counts other work on a busy machine. A call that waits
in vain uses none, and ends after three ticks of the clock, in two of which it gave the processor
back. One that wants it, and gets none because the machine is busy, gives nothing back and goes on.
"""

from __future__ import annotations

import builtins
import resource
import signal
import sys
import time

from ..cases.forks import WAITING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..raw import Raw

__builtins__ = dict(vars(builtins))

_TIMES_STUCK = 3.0
"""How many times as long a call may compute that does not notice its time limit."""
_PROGRESS = 0.002
"""Least processor seconds between two ticks; a call with less is waiting, or gets none."""
_TICKS_WITHOUT = 2

_MOST_LATE = 3
"""Timed-out calls after which others are expected to time out, too."""
_LEAST_SECONDS = 0.25
_TIMES_LONGER = 20.0

_cpu = time.process_time
_usage = resource.getrusage
_signal, _set_timer = signal.signal, signal.setitimer


def _sleeps() -> int:
    """Return how often this process has given the processor back, to wait."""
    return _usage(resource.RUSAGE_SELF).ru_nvcsw


class TimeBudget:
    """The time limit of a call, lower once some have timed out while all others are fast."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._late = 0
        self._longest: float | None = None

    def record_duration(self, taken: float, *, is_late: bool) -> None:
        """Record a call's duration in seconds."""
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
    """Handles each tick while the call runs, and raises when its time is up."""

    def __init__(self, ticks: int) -> None:
        self.is_running = True
        self.is_late = False
        self._left = ticks
        self._idle = 0
        self._spent = _cpu()
        self._sleeps = sys.maxsize
        """Known from the first tick on: to ask for it takes as long as a short call."""

    def tick(self, _number: int, _frame: Raw) -> None:
        """Handle the end of another period."""
        spent, sleeps = _cpu(), _sleeps()
        if spent - self._spent >= _PROGRESS:
            self._idle = 0
        elif sleeps > self._sleeps:
            self._idle += 1
        self._spent, self._sleeps = spent, sleeps
        self._left -= 1
        if self._idle >= _TICKS_WITHOUT or self._left <= 0:
            self.ring(_number, _frame)

    def ring(self, _number: int, _frame: Raw) -> None:
        """Raise the time-out in the running call."""
        if self.is_running:
            self.is_late = True
            raise _TimeIsUp


def limited(run: Callable[[], str], seconds: float) -> str:
    """Return the result of `run`; empty if it computes for longer, or only waits.

    Code that ignores it, because it never returns from C or catches all exceptions, ends the
    process after some time.
    """
    period = seconds / 3
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
