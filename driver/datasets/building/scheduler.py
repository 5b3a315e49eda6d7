"""The scheduler: which worker does what next.

A worker stays with its repository until nothing of it is left, since the checkout, parsed files,
recordings and sandboxes are there. Then it takes a repository that nobody has begun, and else helps
where most is left, if that is worth opening it once more. What comes of a function does not depend
on who makes it.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import SimpleQueue

from ...batch.handler import Loss
from .engines.engine import Engine, NoWorkerError, WorkerLostError
from .journal_rows import lost
from .plan import RepositoryPlan
from .tasks import Make, Result, Survey, Surveyed, Task

_TRIES = 3
"""How often a task is given to another worker after its worker was lost."""

_PATIENCE_SECONDS = 300.0
"""Time to wait for a worker when all are gone."""


@dataclass(slots=True)
class _Open:
    """A repository whose functions are known."""

    plan: RepositoryPlan
    left: deque[Make]


@dataclass(slots=True)
class Scheduler:
    """The state of a build in progress."""

    engine: Engine
    is_done: Callable[[Make], bool]
    """Whether an earlier run has made an item."""
    waiting: deque[RepositoryPlan]
    """Repositories that no worker has opened yet."""
    limit: int | None = None
    """Number of functions that may still be begun."""
    _open: dict[str, _Open] = field(default_factory=dict[str, _Open])
    _at: dict[int, str] = field(default_factory=dict[int, str])
    """Worker → the repository that it has open."""
    _busy: Counter[str] = field(default_factory=Counter[str])
    """Number of workers at each repository."""
    _running: dict[Future[Result], tuple[int, Task, int]] = field(
        default_factory=dict[Future[Result], tuple[int, Task, int]]
    )
    """Future → worker, task, and how often it was tried."""
    _again: deque[tuple[Task, int]] = field(default_factory=deque[tuple[Task, int]])
    _done: SimpleQueue[Future[Result]] = field(default_factory=SimpleQueue["Future[Result]"])
    """Finished futures: to wait for one of thousands must not cost a look at each."""

    def results(self) -> Iterator[tuple[Task, Result]]:
        """Yield each task with its result, as they are finished."""
        idle = list(range(self.engine.workers))
        while True:
            idle = self._give_all(idle)
            if not self._running:
                if not (self._again or self._open or (self.waiting and self.limit != 0)):
                    return
                self._wait_for_workers(idle)
                continue
            future = self._done.get()
            worker, task, tries = self._running.pop(future)
            self._busy[task.plan.repo] -= 1
            result = self._result(future, task, tries)
            if isinstance(task, Survey) and isinstance(result, Surveyed):
                self._add(task.plan, result)
            idle.insert(0, worker)  # it may have surveyed what it goes on with
            if result is not None:
                yield task, result

    def _give_all(self, idle: Sequence[int]) -> list[int]:
        """Give each idle worker its next task; return those for which there is none."""
        left: list[int] = []
        is_all_given = False
        for worker in idle:
            # what one gets that has no repository open, all others get: one look is enough
            has_own = self._at.get(worker, "") in self._open
            if not self.engine.is_available(worker) or (is_all_given and not has_own):
                left.append(worker)
            elif not self._give(worker):
                left.append(worker)
                is_all_given = is_all_given or not has_own
        return left

    def _wait_for_workers(self, idle: Sequence[int]) -> None:
        """Wait until a worker is there again.

        Raises:
            NoWorkerError: none comes.
        """
        for _ in range(int(_PATIENCE_SECONDS)):
            if any(map(self.engine.is_available, idle)):
                return
            time.sleep(1.0)
        raise NoWorkerError("no worker is left")

    def _give(self, worker: int) -> bool:
        """Give a worker its next task, if there is one."""
        found = self._next(worker)
        if found is None:
            return False
        task, tries = found
        self._at[worker] = task.plan.repo
        self._busy[task.plan.repo] += 1
        future = self.engine.submit(worker, task)
        self._running[future] = (worker, task, tries)
        future.add_done_callback(self._done.put)
        return True

    def _next(self, worker: int) -> tuple[Task, int] | None:
        if self._again:
            return self._again.popleft()
        own = self._open.get(self._at.get(worker, ""))
        if own is not None:
            return self._take(own), 1
        if self.waiting and self.limit != 0:
            return Survey(self.waiting.popleft()), 1
        worth = [
            each
            for each in self._open.values()
            if len(each.left) >= self.engine.helps_from * self._busy[each.plan.repo]
        ]
        if not worth:
            return None
        return self._take(max(worth, key=lambda each: len(each.left))), 1

    def _take(self, found: _Open) -> Make:
        task = found.left.popleft()
        if not found.left:
            del self._open[found.plan.repo]
        return task

    def _add(self, plan: RepositoryPlan, result: Surveyed) -> None:
        """Open a repository for all, with those of its functions that are not made yet."""
        every = (Make(plan, target, result.commit) for target in result.targets)
        left = deque(task for task in every if not self.is_done(task))
        if self.limit is not None:
            while len(left) > self.limit:
                left.pop()
            self.limit -= len(left)
        if left:
            self._open[plan.repo] = _Open(plan, left)

    def _result(self, future: Future[Result], task: Task, tries: int) -> Result | None:
        """Return the result; `None` if another worker shall try again."""
        try:
            return future.result()
        except WorkerLostError as error:
            if tries < _TRIES:
                self._again.append((task, tries + 1))
                return None
            return lost(task, Loss("worker_died", str(error)))


def scheduled(
    engine: Engine,
    plans: Sequence[RepositoryPlan],
    is_done: Callable[[Make], bool],
    limit: int | None = None,
) -> Iterator[tuple[Task, Result]]:
    """Yield each task of a build with its result, as they are finished."""
    return Scheduler(engine, is_done, deque(plans), limit).results()
