"""A clock that stands, until the slice sleeps; whoever else has stopped the clocks goes first."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import selectors
import sys
import threading
import time
import types
from typing import Any

from .....world.core.as_builtin import AsBuiltin
from .....world.core.world import record, replace, restart_with, undo_with

CLOCK_START = 1_704_110_400
"""Noon of 1 January 2024, UTC."""
MOST_SLEEPS = 1_000
"""A loop that has slept so often is one that only an interrupt ends."""
MOST_NOTED = 50
"""Sleeps that are noted as effects; of a loop without an end all others are alike."""
_TICK = 1_000  # nanoseconds for each look at the clock: nothing takes no time
_PATIENCE = 1_000  # looks at the clock without a sleep; then it hurries, so that waiting ends
_SHORT_WAIT = 0.01
_SECOND_NS = 1_000_000_000

_stood_before = not isinstance(time.time, types.BuiltinFunctionType)
_real_clock = {name: getattr(time, name) for name in (
    "time", "sleep", "gmtime", "localtime", "strftime", "asctime",
)}  # fmt: skip
_main_thread = threading.main_thread().ident


class _StandingClock:
    """Nanoseconds since the start, and how often was looked and slept since then."""

    passed = 0
    ahead = 0  # of what tells the date, after somebody has set the machine's clock
    looks = 0
    sleeps = 0
    threads: dict[int, list[int]] = {}

    @classmethod
    def restart(cls) -> None:
        """Back to the start."""
        cls.passed = cls.ahead = cls.looks = cls.sleeps = 0
        cls.threads.clear()

    @classmethod
    def move(cls, seconds: float) -> None:
        """Let time pass."""
        if _stood_before:
            _real_clock["sleep"](seconds)
        cls.passed += round(seconds * _SECOND_NS)

    @classmethod
    def look(cls) -> int:
        """Nanoseconds since the start, for the thread that asks."""
        other = cls._other_thread()
        if other is not None:
            return cls.passed + other[0]
        found = cls.passed
        cls.looks += 1
        cls.passed += _TICK * (1 if cls.looks < _PATIENCE else cls.looks)
        return found

    @classmethod
    def _other_thread(cls) -> list[int] | None:
        ident = threading.get_ident()
        return None if ident == _main_thread else cls.threads.setdefault(ident, [0, 0])


def _wall_ns() -> int:
    if _stood_before:
        return round(_real_clock["time"]() * _SECOND_NS)
    return CLOCK_START * _SECOND_NS + _StandingClock.look() + _StandingClock.ahead


def _wall() -> float:
    return _wall_ns() / _SECOND_NS


def _steady_ns() -> int:
    return 1_000 * _SECOND_NS + _StandingClock.look()


def _steady() -> float:
    return _steady_ns() / _SECOND_NS


def _passing_sleep(secs: Any, /) -> None:
    """Come back at once; an endless loop of sleeps ends as if somebody pressed Ctrl-C."""
    if secs < 0:
        raise ValueError("sleep length must be non-negative")
    if threading.get_ident() == _main_thread and _StandingClock.sleeps < MOST_NOTED:
        record("sleep", "", float(secs))
    clock = _StandingClock
    other = clock._other_thread()
    if other is not None:
        other[0] += round(secs * _SECOND_NS)
        other[1] += 1
        if other[1] > MOST_SLEEPS // 10:
            raise SystemExit
        threading.Event().wait(min(secs, _SHORT_WAIT))
        return
    clock.sleeps += 1
    clock.looks = 0
    if clock.sleeps > MOST_SLEEPS:
        raise KeyboardInterrupt(f"a loop that has slept {MOST_SLEEPS} times is ended")
    clock.move(secs)


# ----------------------------------------------------------------------------- event loops


def _passing_select(real: Any) -> Any:
    """An event loop that would wait for its next timer is there at once."""

    def select(self: Any, timeout: Any = None) -> Any:
        if not timeout or timeout < 0 or sys._getframe(1).f_code.co_name != "_run_once":
            return real(self, timeout)
        alone = threading.active_count() == 1
        found = real(self, 0 if alone else min(timeout, 0.2))
        if not found:
            clock = _StandingClock
            clock.sleeps += 1
            if clock.sleeps > MOST_SLEEPS * 10:
                raise KeyboardInterrupt("an event loop that only waits is ended")
            clock.move(timeout)
        return found

    return select


# ----------------------------------------------------------------------------- setting up


def stop_clocks() -> None:
    """Let all clocks stand, and move by sleeping alone."""
    restart_with(_StandingClock.restart)
    for name, value in (
        ("sleep", _passing_sleep), ("monotonic", _steady), ("monotonic_ns", _steady_ns),
        ("perf_counter", _steady), ("perf_counter_ns", _steady_ns),
        ("process_time", _steady), ("process_time_ns", _steady_ns),
    ):  # fmt: skip
        replace(time, name, AsBuiltin(value, name))
    if _stood_before:
        return
    _stand_in_utc()
    real = _real_clock

    def clock_settime(clk_id: Any, seconds: Any, /) -> None:
        if clk_id != time.CLOCK_REALTIME:
            raise OSError(22, "Invalid argument")
        _StandingClock.ahead += round(seconds * _SECOND_NS) - _wall_ns()

    def localtime(seconds: Any = None, /) -> Any:
        return real["localtime"](_wall() if seconds is None else seconds)

    def gmtime(seconds: Any = None, /) -> Any:
        return real["gmtime"](_wall() if seconds is None else seconds)

    def strftime(form: Any, moment: Any = None, /) -> Any:
        return real["strftime"](form, localtime() if moment is None else moment)

    def asctime(moment: Any = None, /) -> Any:
        return real["asctime"](localtime() if moment is None else moment)

    def ctime(seconds: Any = None, /) -> Any:
        return asctime(localtime(seconds))

    for name, value in (
        ("time", _wall), ("time_ns", _wall_ns), ("localtime", localtime), ("gmtime", gmtime),
        ("strftime", strftime), ("asctime", asctime), ("ctime", ctime),
        ("clock_settime", clock_settime),
    ):  # fmt: skip
        replace(time, name, AsBuiltin(value, name))


def hurry_event_loops() -> None:
    """Have event loops pass the time until their next timer."""
    selector = selectors.DefaultSelector
    replace(selector, "select", _passing_select(selector.select))


def stop_dates() -> None:
    """Let `datetime` tell the time of the clock that stands."""
    if _stood_before:
        return
    utc = dt.timezone(dt.timedelta())

    def now(cls: Any, tz: Any = None) -> Any:
        whole, rest = divmod(_wall_ns(), _SECOND_NS)
        return cls.fromtimestamp(whole, tz).replace(microsecond=rest // 1_000_000 * 1_000)

    def utcnow(cls: Any) -> Any:
        return now(cls, utc).replace(tzinfo=None)

    def today(cls: Any) -> Any:
        return cls.fromtimestamp(_wall_ns() // _SECOND_NS)

    _patch_c_class(dt.datetime, now=now, utcnow=utcnow, today=now)
    _patch_c_class(dt.date, today=today)


def _patch_c_class(cls: Any, **functions: Any) -> None:
    """Set class methods of a C class, which Python code may not do by assignment."""
    import ctypes
    import gc

    (attributes,) = gc.get_referents(vars(cls))
    before = {name: attributes.get(name) for name in functions}

    def give_back() -> None:
        for name, value in before.items():
            if value is None:
                attributes.pop(name, None)
            else:
                attributes[name] = value
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(cls))

    for name, function in functions.items():
        attributes[name] = classmethod(function)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(cls))
    undo_with(give_back)


def _stand_in_utc() -> None:
    """The same day and hour wherever the machine stands."""
    if not hasattr(time, "tzset"):
        return
    before = os.environ.get("TZ")

    def give_back() -> None:
        with contextlib.suppress(KeyError):
            del os.environ["TZ"]
        if before is not None:
            os.environ["TZ"] = before
        time.tzset()

    def restart() -> None:
        os.environ["TZ"] = "UTC"
        time.tzset()

    restart()
    restart_with(restart)
    undo_with(give_back)
