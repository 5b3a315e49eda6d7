"""Progress of a build for people: repositories, functions, environments, rate, time left, disk."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ...console.progress import duration
from ...console.streams import is_quiet, say
from ...settings.cache_folders import cache_folder
from .plan import RepositoryPlan
from .tasks import Made, Surveyed

if TYPE_CHECKING:
    from rich.live import Live

_SECONDS_BETWEEN_LINES = 10.0


@dataclass(slots=True)
class ConsoleWatcher:
    """One line on a terminal, drawn anew each second; elsewhere a new line now and then."""

    clock: Callable[[], float] = time.monotonic
    repositories: int = 0
    surveyed_count: int = 0
    functions: int = 0
    """Functions of the repositories surveyed so far."""
    resumes: bool = False
    """Whether an earlier build shall go on."""
    limit: int | None = None
    """Maximum number of functions that are made now."""
    done: int = 0
    environments: int = 0
    _before: int = 0
    _started: float = field(default_factory=time.monotonic)
    _said_at: float = 0.0
    _live: Live | None = None
    _has_begun: bool = False
    _names: dict[str, int] = field(default_factory=dict[str, int])
    """Repository that is not surveyed yet → number of functions that the list names."""

    def begin(self, plans: Sequence[RepositoryPlan], done: int, environments: int) -> None:
        """Take the repositories, and what an earlier run has finished."""
        self._has_begun = True
        self.repositories = len(plans)
        self._names = {
            each.repo: len(each.functions) for each in plans if each.functions is not None
        }
        self.done = self._before = done
        self.environments = environments
        self._started = self._said_at = self.clock()
        if done:
            say(f"{self.done} functions are done already")
        elif self.resumes:
            say("nothing to go on with: starting")
        if sys.stderr is not None and sys.stderr.isatty() and not is_quiet():
            from rich.console import Console
            from rich.live import Live

            self._live = Live(
                get_renderable=self.line, console=Console(stderr=True), refresh_per_second=1,
                transient=True,
            )  # fmt: skip
            self._live.start()

    def surveyed(self, found: Surveyed) -> None:
        """Count a repository, and say why one cannot be used."""
        self.surveyed_count += 1
        self._names.pop(found.repo, None)
        self.functions += len(found.targets)
        if found.rule is not None:
            self._say(f"{found.repo}: left out: {found.rule}: {found.reason}")
        elif found.reason:
            self._say(f"{found.repo}: {found.reason}")

    def made(self, found: Made) -> None:
        """Count a function."""
        self.done += 1
        self.environments += found.is_environment
        if self._live is None and self.clock() - self._said_at > _SECONDS_BETWEEN_LINES:
            self._said_at = self.clock()
            say(self.line())

    def end(self) -> None:
        """Leave the last state on the terminal, if a build has begun."""
        if not self._has_begun:
            return
        if self._live is not None:
            self._live.stop()
            self._live = None
        say(self.line())

    def _say(self, line: str) -> None:
        if self._live is None:
            say(line)
        else:
            self._live.console.print(f"slice-func: {line}", markup=False, highlight=False)

    def line(self) -> str:
        """Return the state on one line."""
        minutes = (self.clock() - self._started) / 60
        made = self.done - self._before
        rate = made / minutes if minutes else 0.0
        whole, is_known = self._whole()
        left = (whole - self.done) / rate * 60 if rate else 0.0
        about = "" if is_known else "about "
        share = f" ({self.environments / self.done:.0%})" if self.done else ""
        free = shutil.disk_usage(_existing(cache_folder())).free >> 30
        return (
            f"{self.surveyed_count} of {self.repositories} repositories, {self.done} of "
            f"{about}{whole:.0f} functions, {self.environments} environments{share}, "
            f"{rate:.1f} a minute, {duration(max(left, 0.0))} left, {free} GB free"
        )

    def _whole(self) -> tuple[int, bool]:
        """Return how many functions there will be, and whether that is no estimate."""
        left = self.repositories - self.surveyed_count
        is_known = left <= len(self._names)
        certain = whole = self.functions + sum(self._names.values())
        if not is_known:
            of_each = whole / max(self.surveyed_count + len(self._names), 1)
            whole += round(of_each * (left - len(self._names)))
        if self.limit is not None:
            most = self._before + self.limit
            return min(whole, most), is_known or most <= certain
        return whole, is_known


def _existing(place: Path) -> Path:
    """Return the place, or the nearest folder above it that exists."""
    while not place.exists():
        place = place.parent
    return place
