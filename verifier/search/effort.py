"""Effort: what a search has cost, in processor time, so that a busy machine ends it no sooner."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..executors.interface import cost_of

if TYPE_CHECKING:
    from ..executors.interface import Job, Outcome
    from ..trials import Runs


class Effort:
    """A run of jobs that adds up what they and the search itself take."""

    def __init__(self, run: Runs) -> None:
        self._run = run
        self._jobs = 0.0
        self._start = time.process_time()

    def __call__(self, job: Job) -> Outcome:
        """Run a job."""
        outcome = self._run(job)
        self._jobs += cost_of(outcome.cpu_seconds, outcome.wall_seconds)
        return outcome

    @property
    def seconds(self) -> float:
        """Seconds of the processor up to now; waiting for a model takes none."""
        return self._jobs + time.process_time() - self._start

    def allow(self, seconds: float) -> Allowance:
        """So many seconds from now on."""
        return Allowance(self, self.seconds + seconds)


@dataclass(frozen=True, slots=True)
class Allowance:
    """What may be spent."""

    effort: Effort
    until: float

    @property
    def is_spent(self) -> bool:
        """Whether nothing further may begin."""
        return self.effort.seconds > self.until
