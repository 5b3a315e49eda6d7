"""A supervised process: a function that hangs, crashes it or takes all memory costs only itself."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from multiprocessing.connection import Pipe
from typing import TYPE_CHECKING, Any, cast

from ...batch.entries import Entry, failed_entry
from ...reason_codes import reason
from .item_process import serve
from .journal_rows import made
from .tasks import BuildOptions, Make, Result, Survey, Surveyed, Task

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

_END_SECONDS = 5.0
_START_SECONDS = 120.0
"""Time to load this package and to open a repository, beyond the limit of a function."""
_INSTALL_SECONDS = 1800.0
_SURVEY_SECONDS = 1800.0
_TRIES = 2
"""How often a function is tried whose process dies: the cause may be another program's memory."""


@dataclass(slots=True, eq=False)
class Supervisor:
    """One worker: a process, started anew after it was lost. Its methods belong to one thread."""

    options: BuildOptions
    process: SpawnProcess | None = None
    _channel: Connection[Any, Any] | None = None
    _is_closed: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, task: Task) -> Result:
        """Return the result of a task; whatever happens to the process, there is one."""
        for tries in range(1, _TRIES + 1):
            run = _Run(self, task)
            result = run.result()
            if result is not None:
                return result
            self.end()
            if tries == _TRIES or self._is_closed:
                return run.lost("worker_died", "")
        raise AssertionError

    def is_there(self) -> bool:
        """Answer: on a cluster, that says that the machine is there."""
        return True

    def channel(self) -> Connection[Any, Any]:
        """Return the pipe to the process, which is started if it is not there."""
        with self._lock:
            if self._channel is None:
                context = get_context("spawn")
                ours, theirs = Pipe()
                self.process = context.Process(
                    target=serve, args=(self.options, theirs), daemon=True
                )
                with _interrupts_wait():
                    self.process.start()
                theirs.close()
                self._channel = cast("Connection[Any, Any]", ours)
            return self._channel

    def end(self) -> None:
        """End the process, if there is one."""
        with self._lock:
            process, channel = self.process, self._channel
            self.process = self._channel = None
        if channel is not None:
            channel.close()
        if process is not None:
            process.terminate()  # it closes its sandboxes
            process.join(_END_SECONDS)
            if process.is_alive():
                process.kill()
                process.join()

    def close(self) -> None:
        """End the process for good."""
        self._is_closed = True
        self.end()


@dataclass(slots=True)
class _Run:
    """One try of one task."""

    supervisor: Supervisor
    task: Task
    known: Entry | None = None
    """The part of the entry that is known already."""
    is_installing: bool = False
    since: float = field(default_factory=time.monotonic)

    def result(self) -> Result | None:
        """Return the result; `None` if the process died."""
        try:
            channel = self.supervisor.channel()
            channel.send(self.task)
            limit = self.limit + _START_SECONDS  # it may be new, and has to open the repository
            while True:
                left = self.since + limit - time.monotonic()
                if left <= 0 or not channel.poll(left):
                    self.supervisor.end()
                    return self.lost("out_of_time", f"not done in {self.limit:.0f} s")
                found = self._read(channel.recv())
                if found is not None:
                    return found
                limit = self.limit
        except (EOFError, OSError):
            return None

    def _read(self, message: tuple[str, Any]) -> Result | None:
        match message:
            case ("known", Entry() as known):
                self.known, self.is_installing = known, True
            case ("installed", _):
                self.is_installing = False
            case (_, result):
                return cast("Result", result)
        self.since = time.monotonic()
        return None

    @property
    def limit(self) -> float:
        """Seconds that the current step may take."""
        if isinstance(self.task, Survey):
            return _SURVEY_SECONDS
        return _INSTALL_SECONDS if self.is_installing else self.supervisor.options.seconds

    def lost(self, code: str, detail: str) -> Result:
        """Return the result of a task whose process was lost."""
        why = reason(code, "", None, detail)
        if isinstance(self.task, Survey):
            return Surveyed(self.task.plan.repo, rule=code, reason=why.hint)
        assert isinstance(self.task, Make)
        why = replace(why, path=self.task.target.path)
        known = self.known or failed_entry(self.task.target, why)
        took = round(time.monotonic() - self.since, 4)
        return made(self.task, replace(known, reasons=(why,), seconds=took))


@contextlib.contextmanager
def _interrupts_wait() -> Generator[None]:
    """Start processes that hear no interrupt before they have a handler: all would print why."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
