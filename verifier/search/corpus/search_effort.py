"""The effort of a search in processor time, so that a busy machine does not end it sooner.

Where the caller sets a wall-clock deadline as well, shares of it bound the parts of the search. A
search that ends so says it (`is_cut`), since the same search finds more on a quieter machine.
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
"""Share of the wall-clock time that one run may take, where the time may not suffice for all."""


class Effort:
    """Runs jobs, and adds up what they and the search itself cost.

    Args:
        run: runs a job.
        ends: deadline of the whole search, in terms of `time.monotonic`.
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
        """Run a job and add its cost."""
        begun = time.monotonic()
        outcome = self._run(job)
        self._jobs += cost_of(outcome.cpu_seconds, outcome.wall_seconds)
        self._clock += time.monotonic() - begun
        self._cases += max(1, len(job.cases))
        return outcome

    @property
    def seconds(self) -> float:
        """Return the processor seconds used so far. Waiting for a model costs none."""
        return self._jobs + time.process_time() - self._start

    def allow(self, seconds: float, share: float = 1.0) -> EffortBudget:
        """Return a budget of so many seconds from now on, within a share of the clock's time."""
        return EffortBudget(self, self.seconds + seconds, share)

    def is_late(self, share: float = 1.0) -> bool:
        """Whether a share of the wall-clock time is over. The caller then ends its part."""
        is_late = time.monotonic() - self._begun >= share * (self._ends - self._begun)
        self.is_cut = self.is_cut or is_late
        return is_late

    def parts(self, items: Sequence[T], share: float = 1.0) -> Iterator[Sequence[T]]:
        """Yield all items at once, or in parts until time is up where time is short."""
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
    """A budget of processor time, bounded by a share of the wall-clock time."""

    effort: Effort
    until: float
    share: float = 1.0
    """Share of the wall-clock time after which nothing further begins."""

    @property
    def is_spent(self) -> bool:
        """Whether nothing further may begin."""
        return self.effort.seconds > self.until or self.effort.is_late(self.share)
