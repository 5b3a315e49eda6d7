"""A pool of executors of one kind, for threads and for asyncio.

A job whose executor was lost runs once more on a new executor. If that is lost too, the outcome
stays `infrastructure`.
"""

from __future__ import annotations

import asyncio
import collections
import queue
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self, TypeVar

from .interface import Capabilities, Executor, Job, Outcome, Profile

Given = TypeVar("Given")
Found = TypeVar("Found")


def in_order(
    submit: Callable[[Given], Future[Found]], items: Iterable[Given], ahead: int
) -> Iterator[Found]:
    """Yield results in the order of the items, with `ahead` items submitted beforehand."""
    waiting: collections.deque[Future[Found]] = collections.deque()
    for item in items:
        waiting.append(submit(item))
        if len(waiting) >= ahead:
            yield waiting.popleft().result()
    for future in waiting:
        yield future.result()


class Pool:
    """Runs jobs on `size` executors at once.

    Use it as a context manager, or call `close`.
    """

    def __init__(self, make: Callable[[], Executor], size: int, profile: Profile) -> None:
        """Start all executors. Raise `SandboxError` if one does not start."""
        self._idle: queue.SimpleQueue[Executor] = queue.SimpleQueue()
        self._executors: list[Executor] = []
        self._threads = ThreadPoolExecutor(size, "executor")
        self._is_ended = False
        try:
            for _ in range(size):
                executor = make()
                self._executors.append(executor)
                executor.start(profile)
                self._idle.put(executor)
        except BaseException:
            self.close()
            raise

    def submit(self, job: Job) -> Future[Outcome]:
        """Submit a job. Return the future outcome."""
        return self._threads.submit(self.run, job)

    def run(self, job: Job) -> Outcome:
        """Run a job on the next free executor. Thread-safe."""
        executor = self._idle.get()
        outcome = Outcome("infrastructure", detail="the pool was ended")
        try:
            for _ in range(2):
                if self._is_ended:
                    break
                outcome = executor.run(job)
                if outcome.end != "infrastructure":
                    break
            return outcome
        finally:
            self._idle.put(executor)

    def run_all(self, jobs: Iterable[Job], *, ahead: int = 64) -> Iterator[Outcome]:
        """Yield outcomes in the order of the jobs.

        Args:
            jobs: jobs, consumed only as fast as they run.
            ahead: number of jobs that are submitted beforehand.
        """
        return in_order(self.submit, jobs, ahead)

    async def arun(self, job: Job) -> Outcome:
        """Run a job, for coroutines."""
        return await asyncio.wrap_future(self.submit(job))

    def capabilities(self) -> Capabilities:
        """Return the protections of its executors, which are all of one kind."""
        return self._executors[0].capabilities()

    def close(self) -> None:
        """Finish running jobs, then end every executor."""
        self._threads.shutdown(cancel_futures=True)
        for executor in self._executors:
            executor.close()

    def end(self) -> None:
        """End running jobs and every executor; jobs under way have no outcome."""
        self._is_ended = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for executor in self._executors:
            executor.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
