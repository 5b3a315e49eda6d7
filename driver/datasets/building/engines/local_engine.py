"""Workers on this machine: a process each, and a thread that supervises it."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor

from ..supervisor import Supervisor
from ..tasks import BuildOptions, Result, Task


class LocalEngine:
    """Processes of this machine."""

    def __init__(self, options: BuildOptions, workers: int) -> None:
        """Take the options and the number of workers; a process starts with its first task."""
        self.supervisors = [Supervisor(options) for _ in range(workers)]
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="build")

    @property
    def workers(self) -> int:
        """Number of workers."""
        return len(self.supervisors)

    @property
    def helps_from(self) -> int:
        """One: the checkout, the recordings and what is installed are on this machine."""
        return 1

    def is_available(self, worker: int) -> bool:
        """Whether an idle worker can take a task: always, its process is started anew."""
        return 0 <= worker < self.workers

    def submit(self, worker: int, task: Task) -> Future[Result]:
        """Give a task to an idle worker."""
        return self._threads.submit(self.supervisors[worker].run, task)

    def close(self) -> None:
        """End all workers, whatever they do."""
        for each in self.supervisors:
            each.close()
        self._threads.shutdown(wait=True, cancel_futures=True)
