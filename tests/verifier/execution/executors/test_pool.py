"""A pool mixes nothing up, and the death of an executor costs no job."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.executors.embedded_executor import EmbeddedExecutor
from slicefunc.verifier.execution.executors.executor_pool import Pool
from slicefunc.verifier.execution.executors.host.control_groups import make_group
from slicefunc.verifier.execution.executors.interface import (
    Capabilities,
    Job,
    Limits,
    Outcome,
    Profile,
)


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    try:
        pool = Pool(EmbeddedExecutor, 2, Profile())
    except SandboxError as error:
        pytest.skip(str(error))
    with pool:
        yield pool


class _Broken:
    """An executor that fails as often as it is told."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.runs = 0

    def start(self, profile: Profile) -> None: ...

    def run(self, job: Job) -> Outcome:
        self.runs += 1
        return Outcome("infrastructure" if self.runs <= self.failures else "exited")

    def close(self) -> None: ...

    def capabilities(self) -> Capabilities:
        return Capabilities("broken", (), ())


def test_outcomes_come_in_the_order_of_the_jobs(pool: Pool) -> None:
    jobs = [
        Job(f"import time; time.sleep({number % 3} / 100); print({number})") for number in range(40)
    ]
    shown = [int(outcome.stdout) for outcome in pool.run_all(jobs, ahead=7)]
    assert shown == list(range(40))


def test_coroutines_wait_for_outcomes(pool: Pool) -> None:
    async def both() -> list[Outcome]:
        return await asyncio.gather(*(pool.arun(Job(f"print({number})")) for number in range(5)))

    assert [outcome.stdout for outcome in asyncio.run(both())] == [b"%d\n" % n for n in range(5)]


def test_two_jobs_run_at_once(pool: Pool) -> None:
    start = time.monotonic()
    outcomes = [*pool.run_all([Job("import time; time.sleep(.5)")] * 2)]
    assert all(outcome.exit_status == 0 for outcome in outcomes)
    assert time.monotonic() - start < sum(outcome.wall_seconds for outcome in outcomes)


def test_a_job_whose_executor_died_is_run_again_once() -> None:
    for failures, end, runs in ((0, "exited", 1), (1, "exited", 2), (2, "infrastructure", 2)):
        broken = _Broken(failures)
        with Pool(lambda broken=broken: broken, 1, Profile()) as pool:
            assert pool.run(Job("")).end == end
        assert broken.runs == runs


def test_a_sandbox_that_is_killed_is_told_as_infrastructure_and_replaced() -> None:
    executor = EmbeddedExecutor()
    try:
        executor.start(Profile())
    except SandboxError as error:
        pytest.skip(str(error))
    process = executor.process_id
    assert process is not None
    killer = threading.Timer(0.3, os.kill, (process, signal.SIGKILL))
    killer.start()
    outcome = executor.run(Job("import time; time.sleep(20)", limits=Limits(wall_seconds=30)))
    assert outcome.end == "infrastructure"
    assert outcome.wall_seconds < 10
    assert executor.run(Job("print(1)")).stdout == b"1\n"
    assert executor.process_id not in {process, None}
    executor.close()


def test_a_pool_survives_the_death_of_its_sandboxes() -> None:
    executors: list[EmbeddedExecutor] = []

    def make() -> EmbeddedExecutor:
        executors.append(EmbeddedExecutor())
        return executors[-1]

    try:
        pool = Pool(make, 2, Profile())
    except SandboxError as error:
        pytest.skip(str(error))
    with pool:
        futures = [pool.submit(Job(f"import time; time.sleep(.1); print({n})")) for n in range(20)]
        for executor in executors:
            time.sleep(0.2)
            process = executor.process_id
            if process is not None:
                os.kill(process, signal.SIGKILL)
        assert [int(future.result().stdout) for future in futures] == list(range(20))


def test_a_pool_that_cannot_start_leaves_nothing() -> None:
    closed: list[str] = []

    class Refusing(_Broken):
        def start(self, profile: Profile) -> None:
            raise SandboxError("not here")

        def close(self) -> None:
            closed.append("closed")

    with pytest.raises(SandboxError, match="not here"):
        Pool(lambda: Refusing(0), 3, Profile())
    assert closed == ["closed"]


@pytest.mark.parametrize("end", ["pass", "os.kill(os.getpid(), signal.SIGKILL)"])
def test_a_parent_that_ends_without_closing_takes_its_sandbox_along(end: str) -> None:
    source = f"""
import os, signal
from slicefunc.verifier.execution.executors.embedded_executor import EmbeddedExecutor
from slicefunc.verifier.execution.executors.interface import Profile
executor = EmbeddedExecutor()
executor.start(Profile())
print(os.getpid(), executor.process_id, flush=True)
{end}
"""
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, check=False
    )
    if "SandboxError" in done.stderr:
        pytest.skip(done.stderr)
    parent, process = done.stdout.split()
    deadline = time.monotonic() + 120
    while Path("/proc", process).exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path("/proc", process).exists()
    make_group(200).remove()  # whoever comes next sweeps what a killed one could not remove
    assert not [*Path("/sys/fs/cgroup").rglob(f"slice-func-{parent}-*")]
