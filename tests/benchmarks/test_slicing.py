"""Targets are sliced in a worker whose own time counts, not that of a busy machine."""

from __future__ import annotations

import multiprocessing
import time

import pytest

from benchmarks import slicing


def test_a_worker_that_only_waits_has_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slicing, "SECONDS_PER_TARGET", 0.2)
    receiver, sender = multiprocessing.Pipe(duplex=False)
    worker = multiprocessing.get_context("fork").Process(target=_late, args=(sender, 0.0))
    worker.start()
    assert slicing._answers(receiver.poll, worker.pid)
    worker.join()


def test_a_worker_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slicing, "SECONDS_PER_TARGET", 0.2)
    receiver, sender = multiprocessing.Pipe(duplex=False)
    worker = multiprocessing.get_context("fork").Process(target=_late, args=(sender, 3600.0))
    worker.start()
    assert not slicing._answers(receiver.poll, worker.pid)
    worker.kill()
    worker.join()


def _late(sender: slicing.Connection, cpu_seconds: float) -> None:
    time.sleep(1.0)
    while time.process_time() < cpu_seconds:
        pass
    sender.send("done")
