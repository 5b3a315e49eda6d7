"""Effort: what a search has cost, in processor time, so that a busy machine ends it no sooner.

Where whoever asked has a time by the clock as well, shares of that bound the parts of the search
too. What ends so is told (`is_cut`), since the same search finds more on a quieter machine.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from ...execution.executors.interface import cost_of

if TYPE_CHECKING:
    from ...execution.batched_trials import Runs
    from ...execution.executors.interface import Job, Outcome

T = TypeVar("T")
_LEAST_PART = 8
_PART = 0.1
"""Of the time by the clock, that one run may take where all of it may be too little."""


class Effort:
    """A run of jobs that adds up what they and the search itself take.

    Args:
        run: runs a job.
        ends: when all of the search has to be over, by `time.monotonic`.
    """

    def __init__(self, run: Runs, ends: float = math.inf) -> None:
        self._run = run
        self._jobs = 0.0
        self._start = time.process_time()
        self._begun, self._ends = time.monotonic(), ends
        self._cases, self._clock = 0, 0.0
        self.is_cut = False
        """Whether the clock has ended a part of the search."""

    def __call__(self, job: Job) -> Outcome:
        """Run a job."""
        begun = time.monotonic()
        outcome = self._run(job)
        self._jobs += cost_of(outcome.cpu_seconds, outcome.wall_seconds)
        self._clock += time.monotonic() - begun
        self._cases += max(1, len(job.cases))
        return outcome

    @property
    def seconds(self) -> float:
        """Seconds of the processor up to now; waiting for a model takes none."""
        return self._jobs + time.process_time() - self._start

    def allow(self, seconds: float, share: float = 1.0) -> EffortBudget:
        """So many seconds from now on, as long as a share of the clock's time is not over."""
        return EffortBudget(self, self.seconds + seconds, share)

    def is_late(self, share: float = 1.0) -> bool:
        """Whether a share of the time by the clock is over; who asks ends something then."""
        is_late = time.monotonic() - self._begun >= share * (self._ends - self._begun)
        self.is_cut = self.is_cut or is_late
        return is_late

    def parts(self, items: Sequence[T], share: float = 1.0) -> Iterator[Sequence[T]]:
        """All at once, or part after part until time is up, where that may not be enough."""
        most = len(items)
        if self._clock and self._ends < math.inf:
            affordable = _PART * (self._ends - self._begun) * self._cases / self._clock
            most = max(_LEAST_PART, int(affordable))
        for at in range(0, len(items), max(1, most)):
            if at and self.is_late(share):
                return
            yield items[at : at + most]


@dataclass(frozen=True, slots=True)
class EffortBudget:
    """What may be spent."""

    effort: Effort
    until: float
    share: float = 1.0
    """Of the time by the clock."""

    @property
    def is_spent(self) -> bool:
        """Whether nothing further may begin."""
        return self.effort.seconds > self.until or self.effort.is_late(self.share)
