"""Workers on a Ray cluster: an actor each, which supervises a process beside it.

Ray moves tasks and results; limits, crashes and restarts are the supervisor's, as on one machine.
"""
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import Any, cast

from ....batch.supervisor import Supervisor
from ....settings.extras import require
from ..task_handler import TaskHandler
from ..tasks import BuildOptions, Result, Task
from .engine import WorkerLostError

_START_SECONDS = 120.0
"""Time for an actor to start, in which Ray may install or load things."""


class RayEngine:
    """Actors of a cluster; one processor each."""

    def __init__(self, options: BuildOptions, address: str, workers: int | None) -> None:
        """Connect to a cluster.

        Args:
            options: options of the build.
            address: as `ray.init` takes it: `auto`, `ray://host:port`, `host:port`, or `local` for
                a cluster of this process.
            workers: number of workers; by default one for each processor of the cluster.
        """
        require("ray", "ray")
        import ray
        from ray import exceptions

        self._ray, self._errors = ray, exceptions
        self._handler = TaskHandler(options)
        if not ray.is_initialized():
            ray.init(
                address=address,
                log_to_driver=False,
                include_dashboard=False,
                configure_logging=False,
            )
        number = workers or int(ray.cluster_resources().get("CPU", 1))
        self._kind: Any = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(Supervisor)
        self._actors: list[Any] = [None] * number

    @property
    def workers(self) -> int:
        """Number of workers."""
        return len(self._actors)

    @property
    def helps_from(self) -> int:
        """What takes about as long as to fetch a repository and to install what it needs."""
        return 8

    def is_available(self, worker: int) -> bool:
        """Whether an idle worker has an actor, or the cluster has room for one."""
        if self._actors[worker] is not None:
            return True
        return self._ray.available_resources().get("CPU", 0) >= 1

    def submit(self, worker: int, task: Task) -> Future[Result]:
        """Give a task to an idle worker, whose actor is started if it is not there."""
        future: Future[Result] = Future()
        actor = self._actors[worker]
        if actor is None:
            actor = self._kind.options(scheduling_strategy="SPREAD").remote(self._handler)
            self._actors[worker] = actor
            self._expect(worker, actor)
        answer: Future[Result] = actor.run.remote(task).future()
        answer.add_done_callback(lambda done: self._pass_on(worker, done, future))
        return future

    def _expect(self, worker: int, actor: Any) -> None:  # noqa: ANN401 - Ray has no type for it
        """End an actor that does not start: the machine for it may be gone since it was counted."""

        def give_up() -> None:
            if self._actors[worker] is actor:
                self._ray.kill(actor)

        timer = threading.Timer(_START_SECONDS, give_up)
        timer.daemon = True
        timer.start()
        there: Future[bool] = actor.__ray_ready__.remote().future()
        there.add_done_callback(lambda _done: timer.cancel())

    def _pass_on(self, worker: int, done: Future[Result], future: Future[Result]) -> None:
        """Hand a result on; an error of Ray means that the worker is gone."""
        error = done.exception()
        if error is None:
            future.set_result(done.result())
        elif isinstance(error, self._errors.RayError) and not isinstance(
            error, self._errors.RayTaskError
        ):
            self._actors[worker] = None
            future.set_exception(WorkerLostError(str(error)))
        else:
            future.set_exception(cast("Exception", error))

    def close(self) -> None:
        """End all workers, whatever they do."""
        for each in self._actors:
            if each is not None:
                self._ray.kill(each)
        self._ray.shutdown()
