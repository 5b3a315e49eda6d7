"""Workers on this machine."""

from __future__ import annotations

from ....batch.supervisor import WorkerPool
from ..task_handler import TaskHandler
from ..tasks import BuildOptions, Result, Task


class LocalEngine(WorkerPool[Task, Result]):
    """Processes of this machine."""

    helps_from = 1
    """The checkout, the recordings and what is installed are on this machine."""

    def __init__(self, options: BuildOptions, workers: int) -> None:
        """Take the options and the number of workers."""
        super().__init__(TaskHandler(options), workers)

    def is_available(self, worker: int) -> bool:
        """Whether an idle worker can take a task: always, its process is started anew."""
        return 0 <= worker < self.workers
