"""Progress of a long run on standard error: a bar on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field

from .console import say

_SECONDS_BETWEEN_LINES = 5.0
_WIDTH = 24
_BLANK = "\x1b[2K\r"


@dataclass(slots=True)
class Progress:
    """How far a run is."""

    total: int
    done: int = 0
    """Functions that were done before it began, then also those done since."""
    good: int | None = None
    """Environments; `None` where none are made."""
    _before: int = field(init=False)
    _started: float = field(default_factory=time.monotonic)
    _told: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        """Remember what was done before."""
        self._before = self.done

    def add(self, *, is_good: bool) -> None:
        """One more is done."""
        self.done += 1
        if self.good is not None:
            self.good += is_good
        if _is_terminal():
            sys.stderr.write(f"{_BLANK}{self.bar()}")
            sys.stderr.flush()
        elif time.monotonic() - self._told > _SECONDS_BETWEEN_LINES:
            self._told = time.monotonic()
            say(self.line())

    def end(self) -> None:
        """Leave the line of the bar empty."""
        if _is_terminal():
            sys.stderr.write(_BLANK)
            sys.stderr.flush()

    def bar(self) -> str:
        """The line with a bar before it."""
        filled = _WIDTH * self.done // max(self.total, 1)
        return f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {self.line()}"

    def line(self) -> str:
        """How many are done, how many of them are environments, and the time that is left."""
        seconds = time.monotonic() - self._started
        made = "" if self.good is None else f", {self.good} environments"
        since = self.done - self._before
        left = (self.total - self.done) * seconds / since if since else 0.0
        until = f", {left:.0f} s left" if left >= 1 else ""
        return f"{self.done} of {self.total} functions{made}, {seconds:.0f} s{until}"


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()
