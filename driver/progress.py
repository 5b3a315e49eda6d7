"""Progress on standard error: over many functions, or over the stages of one target.

A terminal shows one line that is rewritten; other outputs get a new line from time to time.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from .console import printable, say

_SECONDS_BETWEEN_LINES = 5.0
_WIDTH = 24
_BLANK = "\x1b[2K\r"


@dataclass(slots=True)
class Progress:
    """Progress of a run."""

    total: int
    done: int = 0
    """Number of finished functions, including those of an earlier, stopped run."""
    good: int | None = None
    """Number of environments; `None` if none are made."""
    _before: int = field(init=False)
    _started: float = field(default_factory=time.monotonic)
    _told: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        """Remember how many were finished before."""
        self._before = self.done

    def add(self, *, is_good: bool) -> None:
        """Count one more finished function."""
        self.done += 1
        if self.good is not None:
            self.good += is_good
        if _is_terminal():
            _rewrite(self.bar())
        elif time.monotonic() - self._told > _SECONDS_BETWEEN_LINES:
            self._told = time.monotonic()
            say(self.line())

    def end(self) -> None:
        """Clear the line of the bar."""
        if _is_terminal():
            _rewrite("")

    def bar(self) -> str:
        """Return the line with a bar before it."""
        filled = _WIDTH * self.done // max(self.total, 1)
        return f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {self.line()}"

    def line(self) -> str:
        """Return the counts of finished functions and environments, and the remaining time."""
        seconds = time.monotonic() - self._started
        made = "" if self.good is None else f", {self.good} environments"
        since = self.done - self._before
        left = (self.total - self.done) * seconds / since if since else 0.0
        until = f", {left:.0f} s left" if left >= 1 else ""
        return f"{self.done} of {self.total} functions{made}, {seconds:.0f} s{until}"


@dataclass(slots=True)
class Stage:
    """The current stage of the work on one target; use it as a context manager.

    On a terminal, a permanent line replaces the stage, and names the work until the next stage.
    """

    _told: float = field(default_factory=time.monotonic)

    def at(self, stage: str) -> None:
        """Show the stage; if standard error is no terminal, only after a silent while."""
        if _is_terminal():
            _rewrite(f"slice-func: {stage}")
        elif time.monotonic() - self._told > _SECONDS_BETWEEN_LINES:
            self.say(f"{stage} ...")

    def say(self, message: str) -> None:
        """Write a permanent line."""
        self.end()
        say(message)
        self._told = time.monotonic()

    def end(self) -> None:
        """Clear the line."""
        if _is_terminal():
            _rewrite("")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.end()


def _rewrite(line: str) -> None:
    """Replace the current line; the text is cut off, because only one line is cleared."""
    try:
        width = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):
        width = 0
    sys.stderr.write(f"{_BLANK}{printable(line)[: (width or 80) - 1]}")
    sys.stderr.flush()


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()
