"""What the scheduler asks of an engine."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Protocol

from .....slicer.errors import SliceFuncError
from ..tasks import Result, Task


class WorkerLostError(Exception):
    """The machine or process of a worker is gone; its task can be given to another."""


class NoWorkerError(SliceFuncError):
    """All workers are gone, and no machine has come for them."""

    exit_status = 4
    advice = "look after the cluster, then go on with --resume"


class Engine(Protocol):
    """Workers, numbered from 0, each of which does one task at a time."""

    @property
    def workers(self) -> int:
        """Number of workers."""
        ...

    @property
    def helps_from(self) -> int:
        """Least number of functions left, for each worker at a repository, for one more to come.

        To open a repository on another machine costs as much as several functions.
        """
        ...

    def is_available(self, worker: int) -> bool:
        """Whether an idle worker can take a task: its machine may be gone, without another."""
        ...

    def submit(self, worker: int, task: Task) -> Future[Result]:
        """Give a task to an idle worker.

        The future raises `WorkerLostError` if the worker is gone; it is replaced when it is given
        its next task.
        """
        ...

    def close(self) -> None:
        """End all workers, whatever they do."""
        ...
