"""What a search costs is processor time, whatever the clock says."""

from __future__ import annotations

import time

from slicefunc.verifier.executors.interface import Job, Outcome
from slicefunc.verifier.search.effort import Effort

JOB = Job("")


def test_runs_count_with_the_processor_time_that_they_take() -> None:
    effort = Effort(lambda _job: Outcome("exited", cpu_seconds=2.0, wall_seconds=3.0))
    allowance = effort.allow(3.0)
    effort(JOB)
    assert not allowance.is_spent
    effort(JOB)
    assert allowance.is_spent


def test_a_run_that_only_waits_counts_in_part() -> None:
    effort = Effort(lambda _job: Outcome("timeout", cpu_seconds=0.0, wall_seconds=40.0))
    effort(JOB)
    assert 10.0 <= effort.seconds < 11.0


def test_waiting_for_somebody_else_is_free() -> None:
    effort = Effort(lambda _job: Outcome("exited"))
    before = effort.seconds
    time.sleep(0.2)
    assert effort.seconds - before < 0.1
