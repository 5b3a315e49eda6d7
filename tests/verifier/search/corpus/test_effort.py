"""What a search costs is processor time, whatever the clock says."""

from __future__ import annotations

import time

from slicefunc.verifier.execution.executors.interface import Job, Outcome
from slicefunc.verifier.search.corpus.search_effort import Effort

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


def test_the_clock_ends_shares_of_a_search_and_that_is_told() -> None:
    now = time.monotonic()
    effort = Effort(lambda _job: Outcome("exited"), ends=now + 1000.0)
    effort._begun = now - 1000.0  # pyright: ignore[reportPrivateUsage] - as if half were over
    assert not effort.allow(9.0, 0.75).is_spent
    assert not effort.is_cut
    assert effort.allow(9.0, 0.25).is_spent
    assert effort.is_cut


def test_what_takes_no_notable_share_of_the_time_is_tried_at_once() -> None:
    effort = Effort(lambda _job: Outcome("exited"), ends=time.monotonic() + 1000.0)
    effort(JOB)
    assert list(effort.parts(range(100))) == [range(100)]


def test_what_takes_longer_than_there_is_time_for_is_tried_in_parts_until_then() -> None:
    def run(_job: Job) -> Outcome:
        time.sleep(0.01)
        return Outcome("exited")

    effort = Effort(run, ends=time.monotonic() + 0.03)
    effort(JOB)
    done = 0
    for part in effort.parts(range(2000)):
        done += len(part)
        effort(JOB)
    assert 0 < done < 2000
    assert effort.is_cut
