"""Progress on standard error: over many functions, or over the stages of one target.

On a terminal one line is drawn anew each second; elsewhere a line follows now and then.
"""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from .console import is_quiet, printable, say

_SECONDS_BETWEEN_LINES = 5.0
_WIDTH = 24
_NARROW = 60
"""Columns below which the words alone are shown."""
_BLANK = "\x1b[2K\r"
_COUNTED = re.compile(r"(\d+) of at most (\d+)")
"""How a stage says how far it is."""


@dataclass(slots=True)
class Progress:
    """How far a run over many functions is; use it as a context manager."""

    total: int
    done: int = 0
    """Number of finished functions, including those of an earlier, stopped run."""
    good: int | None = None
    """Number of environments; `None` if none are made."""
    _before: int = field(init=False)
    _started: float = field(default_factory=time.monotonic)
    _told: float = field(default_factory=time.monotonic)
    _line: _Line = field(init=False)

    def __post_init__(self) -> None:
        """Remember how many were finished before."""
        self._before = self.done
        self._line = _Line(self.bar)

    def add(self, *, is_good: bool) -> None:
        """Count one more finished function."""
        self.done += 1
        if self.good is not None:
            self.good += is_good
        if not self._line.draw() and time.monotonic() - self._told > _SECONDS_BETWEEN_LINES:
            self._told = time.monotonic()
            say(self.line())

    def bar(self) -> str:
        """The line, with a bar before it where there is room."""
        if _columns() < _NARROW:
            return self.line()
        filled = _WIDTH * self.done // max(self.total, 1)
        return f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {self.line()}"

    def line(self) -> str:
        """Return the counts of finished functions and environments, and the remaining time."""
        seconds = time.monotonic() - self._started
        made = "" if self.good is None else f", {self.good} environments"
        since = self.done - self._before
        left = (self.total - self.done) * seconds / since if since else 0.0
        until = f", {duration(left)} left" if left >= 1 else ""
        return f"{self.done} of {self.total} functions{made}, {duration(seconds)}{until}"

    def __enter__(self) -> Self:
        self._line.begin()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._line.end()


@dataclass(slots=True)
class Stage:
    """The current stage of the work on one target; use it as a context manager.

    On a terminal, a permanent line replaces the stage, and names the work until the next stage.
    """

    _stage: str = ""
    _begun: float = 0.0
    """When the stage began, or the first of those that count on."""
    _told: float = field(default_factory=time.monotonic)
    _line: _Line = field(init=False)

    def __post_init__(self) -> None:
        """Draw what `line` says."""
        self._line = _Line(self.line)

    def at(self, stage: str) -> None:
        """Show the stage; if standard error is no terminal, only after a silent while."""
        now = time.monotonic()
        if stage.partition(":")[0] != self._stage.partition(":")[0]:
            self._begun = now
        self._stage = stage
        if not self._line.draw() and now - self._told > _SECONDS_BETWEEN_LINES:
            self.say(f"{stage} ...")

    def line(self) -> str:
        """The stage, how long it takes, and how much longer it may, where it counts."""
        if not self._stage:
            return ""
        seconds = time.monotonic() - self._begun
        counted = _COUNTED.search(self._stage)
        done, most = map(int, counted.groups()) if counted else (0, 0)
        left = (most - done) * seconds / done if done else 0.0
        took = f", {duration(seconds)}" if seconds >= 1 else ""
        until = f", at most {duration(left)} left" if left >= 1 and took else ""
        return f"slice-func: {self._stage}{took}{until}"

    def say(self, message: str) -> None:
        """Write a permanent line."""
        self._stage = ""
        self._line.clear(lambda: say(message))
        self._told = time.monotonic()

    def __enter__(self) -> Self:
        self._line.begin()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._line.end()


@dataclass(slots=True)
class _Line:
    """The line that a terminal shows last, kept up to date by a thread."""

    text: Callable[[], str]
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _ended: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def begin(self) -> None:
        """Draw the line each second, if there is a terminal."""
        if _is_terminal():
            self._thread = threading.Thread(target=self._keep, daemon=True)
            self._thread.start()

    def draw(self) -> bool:
        """Draw the line now; whether there is a terminal."""
        if not _is_terminal():
            return False
        with self._lock:
            _rewrite(self.text())
        return True

    def clear(self, then: Callable[[], None] = lambda: None) -> None:
        """Leave the line empty, and write what stays."""
        with self._lock:
            if _is_terminal():
                _rewrite("")
            then()

    def end(self) -> None:
        """Leave the line empty for good."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
        self.clear()

    def _keep(self) -> None:
        while not self._ended.wait(1.0):
            text = self.text()
            if text:
                self.draw()


def duration(seconds: float) -> str:
    """A time for people: `45 s`, `12 min`, `3 h 20 min`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def _rewrite(line: str) -> None:
    """Replace the current line; the text is cut off, because only one line is cleared."""
    sys.stderr.write(f"{_BLANK}{printable(line)[: _columns() - 1]}")
    sys.stderr.flush()


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def _is_terminal() -> bool:
    """Whether a line can be drawn anew: on a terminal that knows how, if anything is to be said."""
    is_able = sys.stderr is not None and sys.stderr.isatty()
    return is_able and os.environ.get("TERM") != "dumb" and not is_quiet()
