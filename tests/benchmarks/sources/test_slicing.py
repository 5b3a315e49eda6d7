"""Targets are sliced in a worker whose own time counts, not that of a busy machine."""

from __future__ import annotations

import multiprocessing
import time

from benchmarks.sources import slicing


def test_a_worker_that_only_waits_has_its_time() -> None:
    receiver, sender = multiprocessing.Pipe(duplex=False)
    worker = multiprocessing.get_context("fork").Process(target=_late, args=(sender, 0.0))
    worker.start()
    assert slicing.answers(receiver.poll, worker.pid, 0.2)
    worker.join()


def test_a_worker_that_never_ends_is_given_up() -> None:
    receiver, sender = multiprocessing.Pipe(duplex=False)
    worker = multiprocessing.get_context("fork").Process(target=_late, args=(sender, 3600.0))
    worker.start()
    assert not slicing.answers(receiver.poll, worker.pid, 0.2)
    worker.kill()
    worker.join()


def _late(sender: slicing.Connection, cpu_seconds: float) -> None:
    time.sleep(1.0)
    while time.process_time() < cpu_seconds:
        pass
    sender.send("done")
