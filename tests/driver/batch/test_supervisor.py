from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from slicefunc.driver.batch.entries import Entry
from slicefunc.driver.batch.handler import Handler, Loss
from slicefunc.driver.batch.supervisor import WorkerPool

# in a process of its own: a mask holds for one thread, and tests leave threads behind
INTERRUPTED = """
import os, signal, subprocess, sys
from slicefunc.driver.batch.supervisor import _interrupts_wait
BLOCKED = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))"
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    with _interrupts_wait():
        os.kill(os.getpid(), signal.SIGINT)
        subprocess.run([sys.executable, "-c", BLOCKED], check=True)
        print("started", flush=True)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_an_interrupt_waits_while_a_worker_starts_and_then_reaches_the_parent_alone() -> None:
    command = [sys.executable, "-c", INTERRUPTED]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True", "started", "interrupted"], done.stderr


KNOWN = Entry("a.py", "f", sliced=True)


class Words(Handler[str, "str | Loss"]):
    """Tasks that are words, of which some are harmful; each leaves a line in a file."""

    def __init__(self, log: Path) -> None:
        self.log = log

    def seconds(self, _task: str, /) -> float:
        return 2

    def do(self, task: str, report: Callable[[Entry], None], begin: Callable[[], None]) -> str:
        with self.log.open("a") as log:
            log.write(f"{task}\n")
        report(KNOWN)
        time.sleep(2.5 if task == "install" else 0)
        begin()
        if task == "die":
            os._exit(1)
        time.sleep(100 if task == "hang" else 0)
        return f"{task} {os.getpid()}"

    def close(self) -> None:
        with self.log.open("a") as log:
            log.write("closed\n")

    def lost(self, _task: str, loss: Loss) -> Loss:
        return loss


@pytest.fixture
def pool(tmp_path: Path) -> Iterator[WorkerPool[str, str | Loss]]:
    with closing(WorkerPool(Words(tmp_path / "log"), 1)) as made:
        yield made


def test_a_process_is_kept_and_an_installation_does_not_count(
    pool: WorkerPool[str, str | Loss],
) -> None:
    first, second = (pool.submit(0, word).result() for word in ("install", "next"))
    assert str(first).split()[1] == str(second).split()[1]


def test_a_task_that_hangs_is_lost_with_what_is_known(
    pool: WorkerPool[str, str | Loss], tmp_path: Path
) -> None:
    loss = pool.submit(0, "hang").result()
    assert isinstance(loss, Loss)
    assert (loss.code, loss.detail, loss.known) == ("out_of_time", "not done in 2 s", KNOWN)
    assert str(pool.submit(0, "next").result()).startswith("next")
    assert (tmp_path / "log").read_text().split() == ["hang", "closed", "next"]


def test_a_task_whose_process_dies_is_tried_twice(
    pool: WorkerPool[str, str | Loss], tmp_path: Path
) -> None:
    loss = pool.submit(0, "die").result()
    assert isinstance(loss, Loss)
    assert (loss.code, loss.known, loss.has_begun) == ("worker_died", KNOWN, True)
    assert (tmp_path / "log").read_text().split() == ["die", "die"]


def test_a_closed_pool_ends_what_it_does(tmp_path: Path) -> None:
    started = time.monotonic()
    with closing(WorkerPool(Words(tmp_path / "log"), 1)) as pool:
        future = pool.submit(0, "install")
        while not (tmp_path / "log").exists():
            time.sleep(0.01)
    assert isinstance(future.result(), Loss)
    assert (tmp_path / "log").read_text().split() == ["install", "closed"]
    assert time.monotonic() - started < 60


class SlowToClose(Words):
    """Words whose closing takes its time."""

    def close(self) -> None:
        time.sleep(0.3)
        Words.close(self)


def test_a_process_that_is_told_to_end_twice_closes_what_it_has_open(tmp_path: Path) -> None:
    pool = WorkerPool(SlowToClose(tmp_path / "log"), 1)
    pool.submit(0, "first").result()
    pool.close()  # it tells all processes, then waits for each
    assert (tmp_path / "log").read_text().split() == ["first", "closed"]
