"""Progress on standard error: over many functions, or over the stages of one target.

A terminal shows one line that is redrawn each second; other outputs get a new line from time to
time.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from .streams import is_quiet, printable, say

_SECONDS_BETWEEN_LINES = 5.0
_WIDTH = 24
_NARROW = 60
"""Width in columns below which the line has no bar."""
_BLANK = "\x1b[2K\r"
_COUNTED = re.compile(r"(\d+) of at most (\d+)")
"""Pattern of a stage text that contains a count."""


class _Drawn:
    """Something that a terminal shows on its last line, within a `with` statement."""

    __slots__ = ()
    _line: _Line

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
class Progress(_Drawn):
    """Progress of a run over many functions or repositories; use it as a context manager."""

    total: int
    done: int = 0
    """Number of finished functions, including those of an earlier, stopped run."""
    good: int | None = None
    """Number of those that came out well, such as environments; `None` if none are counted."""
    what: str = "functions"
    good_what: str = "environments"
    _before: int = field(init=False)
    _started: float = field(default_factory=time.monotonic)
    _last_line_at: float = field(default_factory=time.monotonic)
    _line: _Line = field(init=False)

    def __post_init__(self) -> None:
        """Remember how many were finished before."""
        self._before = self.done
        self._line = _Line(self.bar)

    def begin(self, total: int, done: int) -> None:
        """Say how many there are, and how many are finished already."""
        self.total, self.done, self._before = total, done, done

    def add(self, *, is_good: bool) -> None:
        """Count one more finished function."""
        self.done += 1
        if self.good is not None:
            self.good += is_good
        if not self._line.draw() and time.monotonic() - self._last_line_at > _SECONDS_BETWEEN_LINES:
            self._last_line_at = time.monotonic()
            say(self.line())

    def bar(self) -> str:
        """Return the line, with a bar before it if there is room."""
        if _columns() < _NARROW:
            return self.line()
        filled = _WIDTH * self.done // max(self.total, 1)
        return f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {self.line()}"

    def line(self) -> str:
        """Return the counts of finished functions and environments, and the remaining time."""
        seconds = time.monotonic() - self._started
        made = "" if self.good is None else f", {self.good} {self.good_what}"
        since = self.done - self._before
        left = (self.total - self.done) * seconds / since if since else 0.0
        until = f", {duration(left)} left" if left >= 1 else ""
        return f"{self.done} of {self.total} {self.what}{made}, {duration(seconds)}{until}"


@dataclass(slots=True)
class Stage(_Drawn):
    """The current stage of the work on one target; use it as a context manager.

    On a terminal, a permanent line replaces the stage, and names the work until the next stage.
    """

    _stage: str = ""
    _begun: float = 0.0
    """Start of the stage, or of the first of the stages that share a count."""
    _last_line_at: float = field(default_factory=time.monotonic)
    _line: _Line = field(init=False)

    def __post_init__(self) -> None:
        """Create the line, which shows `line()`."""
        self._line = _Line(self.line)

    def at(self, stage: str) -> None:
        """Show the stage; if standard error is no terminal, only after a silent while."""
        now = time.monotonic()
        if stage.partition(":")[0] != self._stage.partition(":")[0]:
            self._begun = now
        self._stage = stage
        if not self._line.draw() and now - self._last_line_at > _SECONDS_BETWEEN_LINES:
            self.say(f"{stage} ...")

    def line(self) -> str:
        """Return the stage, its duration, and the estimated remaining time if it has a count."""
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
        self._last_line_at = time.monotonic()


@dataclass(slots=True)
class _Line:
    """The last line of a terminal, which a thread keeps up to date."""

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
        """Draw the line now; return whether there is a terminal."""
        if not _is_terminal():
            return False
        with self._lock:
            _rewrite(self.text())
        return True

    def clear(self, then: Callable[[], None] = lambda: None) -> None:
        """Clear the line, and write a permanent text."""
        with self._lock:
            if _is_terminal():
                _rewrite("")
            then()

    def end(self) -> None:
        """Clear the line for good."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
        self.clear()

    def _keep(self) -> None:
        # the main thread decides when an interrupt may come; a mask holds for one thread
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        while not self._ended.wait(1.0):
            text = self.text()
            if text:
                self.draw()


def format_size(count: int) -> str:
    """Return a number of bytes in kB, or from a megabyte on in MB."""
    return f"{count / 1e6:,.1f} MB" if count >= 1_000_000 else f"{count / 1e3:.1f} kB"


def duration(seconds: float) -> str:
    """Return a duration for people: `45 s`, `12 min`, `3 h 20 min`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def _rewrite(line: str) -> None:
    """Replace the current line; the text is cut off, because only one line is cleared."""
    with suppress(OSError):
        sys.stderr.write(f"{_BLANK}{printable(line)[: _columns() - 1]}")
        sys.stderr.flush()


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def _is_terminal() -> bool:
    """Whether a line can be redrawn: on a capable terminal, unless only errors are shown."""
    is_able = sys.stderr is not None and sys.stderr.isatty()
    return is_able and os.environ.get("TERM") != "dumb" and not is_quiet()
