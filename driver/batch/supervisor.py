"""Supervised processes: a task that hangs, crashes its process or takes all memory costs only
itself.

A process does one task after another, and keeps open what they need. It answers over a pipe: that
the time of the task itself begins, what is known of the result before the installer runs, and the
result.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Pipe
from typing import TYPE_CHECKING, Any, Generic, cast

from .entries import Entry
from .handler import Handler, Loss, Result, Task
from .serving import serve

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess


_START_SECONDS = 120.0
"""Time to load this package and to open a repository, beyond the limit of a task."""
_INSTALL_SECONDS = 1800.0
"""Time allowed beyond the installer's own limits for each of its steps."""
_END_SECONDS = 5.0


@dataclass(slots=True, eq=False)
class Supervisor(Generic[Task, Result]):
    """One process, started anew after it was lost. `run` belongs to one thread."""

    handler: Handler[Task, Result]
    process: SpawnProcess | None = None
    _channel: Connection[Any, Any] | None = None
    _is_closed: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, task: Task) -> Result:
        """Return the result of a task; whatever happens to the process, there is one.

        A task whose process dies is tried twice: the cause may be another program's memory.
        """
        found = self._tried(task)
        if isinstance(found, Loss) and found.code == "worker_died" and not self._is_closed:
            found = self._tried(task)
        return self.handler.lost(task, found) if isinstance(found, Loss) else found

    def _tried(self, task: Task) -> Result | Loss:
        own, loss, since = self.handler.seconds(task), Loss("worker_died"), time.monotonic()
        limit = own + _START_SECONDS
        try:
            channel = self.channel()
            channel.send(task)
            while channel.poll(max(0.0, since + limit - time.monotonic())):
                match channel.recv():
                    case ("known", Entry() as known):
                        loss, limit = replace(loss, known=known), _INSTALL_SECONDS
                    case ("begun", _):
                        loss, limit = replace(loss, has_begun=True), own
                    case message:
                        return cast("Result", message[1])
                since = time.monotonic()
            loss = replace(loss, code="out_of_time", detail=f"not done in {limit:.0f} s")
        except (EOFError, OSError):
            pass  # it died
        loss = replace(loss, seconds=round(time.monotonic() - since, 4))
        self.end()
        return loss

    def channel(self) -> Connection[Any, Any]:
        """Return the pipe to the process, which is started if it is not there.

        Raises:
            EOFError: the supervisor is closed.
        """
        with self._lock:
            if self._is_closed:
                raise EOFError
            if self._channel is None:
                context = get_context("spawn")
                ours, theirs = Pipe()
                process = context.Process(target=serve, args=(self.handler, theirs), daemon=True)
                with _interrupts_wait():
                    process.start()
                theirs.close()
                self.process, self._channel = process, cast("Connection[Any, Any]", ours)
            return self._channel

    def stop(self) -> None:
        """Ask the process to end, and start none again."""
        with self._lock:
            self._is_closed = True
            if self.process is not None:
                self.process.terminate()

    def end(self) -> None:
        """End the process, if there is one."""
        with self._lock:
            process, channel = self.process, self._channel
            self.process = self._channel = None
        if process is not None:
            process.terminate()  # it closes its sandboxes
            process.join(_END_SECONDS)
            if process.is_alive():
                process.kill()
                process.join()
        if channel is not None:
            channel.close()


class WorkerPool(Generic[Task, Result]):
    """Processes of this machine, each with a thread that supervises it."""

    def __init__(self, handler: Handler[Task, Result], workers: int) -> None:
        """Take the number of workers; a process starts with its first task."""
        self._supervisors = [Supervisor(handler) for _ in range(workers)]
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="worker")

    @property
    def workers(self) -> int:
        """Number of workers."""
        return len(self._supervisors)

    def submit(self, worker: int, task: Task) -> Future[Result]:
        """Give a task to an idle worker."""
        return self._threads.submit(self._supervisors[worker].run, task)

    def close(self) -> None:
        """End all workers, whatever they do."""
        for each in self._supervisors:
            each.stop()
        for each in self._supervisors:
            each.end()
        self._threads.shutdown(wait=True, cancel_futures=True)


@contextlib.contextmanager
def _interrupts_wait() -> Generator[None]:
    """Start processes that hear no interrupt before they have a handler: all would print why."""
    resource_tracker.ensure_running()  # the first process would start it, which ends the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
