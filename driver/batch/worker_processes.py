"""Worker processes of a whole-repository run, which take functions until none is left."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from ...slicer import Repository
from ...slicer.errors import SliceFuncError
from .entries import Entry
from .handler import Handler, Loss
from .supervisor import WorkerPool
from .worker import Work, Worker

if TYPE_CHECKING:
    from ...slicer.model import Target


class WorkerError(SliceFuncError):
    """The processes of a run cannot be started."""

    exit_status = 4
    advice = "look whether memory or processes have run out, and take fewer --jobs"


def entries_in_processes(
    work: Work, targets: Sequence[Target], *, jobs: int, seconds: float, chunk: int = 1
) -> Iterator[Entry]:
    """Yield the entry of each target, as they are finished.

    Args:
        work: what to do with each function.
        targets: the functions.
        jobs: number of processes.
        seconds: time limit for one function.
        chunk: functions that a process takes at a time: neighbours share parsed files.

    Raises:
        WorkerError: a process does not start.
    """
    timed = work.verification and replace(work.verification, seconds=seconds)
    handler = _FunctionHandler(replace(work, verification=timed), seconds)
    chunks = (targets[at : at + chunk] for at in range(0, len(targets), chunk))
    workers = max(1, min(jobs, -(-len(targets) // chunk)))
    with contextlib.closing(WorkerPool(handler, workers)) as pool:
        left = [chain.from_iterable(chunks) for _ in range(workers)]
        running: dict[Future[Entry], int] = {}
        done: set[Future[Entry]] = set()
        idle = range(workers)
        while True:
            for worker in idle:
                target = next(left[worker], None)
                if target is not None:
                    running[pool.submit(worker, target)] = worker
            yield from (each.result() for each in done)
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            idle = [running.pop(each) for each in done]


@dataclass(slots=True)
class _FunctionHandler(Handler["Target", Entry]):
    work: Work
    limit: float
    _worker: Worker | None = None

    def seconds(self, _task: Target, /) -> float:
        return self.limit

    def do(self, task: Target, report: Callable[[Entry], None], begin: Callable[[], None]) -> Entry:
        if self._worker is None:
            repository = Repository(self.work.repository, roots=self.work.roots)
            self._worker = Worker(self.work, repository)
        begin()
        return self._worker.entry(task, report, begin)

    def close(self) -> None:
        if self._worker is not None:
            self._worker.close()

    def lost(self, task: Target, loss: Loss) -> Entry:
        if not loss.has_begun:
            raise WorkerError("a worker process does not start, or ends with nothing to do")
        return loss.entry(task)
