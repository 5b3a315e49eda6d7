"""Timers, schedulers, pools and watchers: nothing runs for ever, nothing leaves the process."""

from __future__ import annotations

import importlib
import os
import signal
import threading
from typing import Any

from .....world.core.world import record, replace

_TIMER_WAIT = 0.01
_MOST_TIMERS = 20
_fired_timers = 0


def shorten_timers() -> None:
    """A `threading.Timer` fires at once; one that starts itself anew ends some time."""

    def run(self: Any) -> None:
        global _fired_timers
        self.finished.wait(min(self.interval, _TIMER_WAIT))
        _fired_timers += 1
        if not self.finished.is_set() and _fired_timers <= _MOST_TIMERS:
            self.function(*self.args, **self.kwargs)
        self.finished.set()

    replace(threading.Timer, "run", run)


def keep_in_process() -> None:
    """Processes of the slice are threads of this one: what they do is seen here."""
    import concurrent.futures
    import multiprocessing
    import multiprocessing.dummy
    import multiprocessing.pool

    class Process(multiprocessing.dummy.DummyProcess):
        """A process that is a thread."""

        pid = 4243
        sentinel = 0

        def terminate(self) -> None:
            """It ends by itself."""

        kill = close = terminate

    def pool(processes: Any = None, initializer: Any = None, initargs: Any = (),
             maxtasksperchild: Any = None, context: Any = None) -> Any:  # fmt: skip
        return multiprocessing.pool.ThreadPool(1, initializer, initargs)

    class ProcessPoolExecutor(concurrent.futures.ThreadPoolExecutor):
        """A pool of one thread."""

        def __init__(self, max_workers: Any = None, mp_context: Any = None, initializer: Any = None,
                     initargs: Any = (), **named: Any) -> None:  # fmt: skip
            super().__init__(1, initializer=initializer, initargs=initargs)

        def map(self, fn: Any, *iterables: Any, timeout: Any = None, chunksize: int = 1) -> Any:
            """As processes do it."""
            return super().map(fn, *iterables, timeout=timeout)

    replace(multiprocessing, "Process", Process)
    replace(multiprocessing, "Pool", pool)
    replace(multiprocessing, "set_start_method", lambda method, force=False: None)
    replace(concurrent.futures, "ProcessPoolExecutor", ProcessPoolExecutor)


def handle_no_signals() -> None:
    """Handlers are noted and kept apart; who waits for a signal is interrupted."""
    handlers: dict[int, Any] = {}

    def set_handler(signalnum: Any, handler: Any, /) -> Any:
        before = handlers.get(int(signalnum), signal.getsignal(signalnum))
        handlers[int(signalnum)] = handler
        return before

    def pause() -> None:
        raise KeyboardInterrupt("nobody sends a signal")

    def alarm(seconds: int, /) -> int:
        return 0

    replace(signal, "signal", set_handler)
    for name, value in (("pause", pause), ("alarm", alarm)):
        if hasattr(signal, name):
            replace(signal, name, value)


def fork_nothing() -> None:
    """`os.fork` goes on as the parent, whose child has ended well."""
    child = 4243

    def fork() -> int:
        record("command", "fork")
        return child

    replace(os, "fork", fork)
    replace(os, "waitpid", lambda pid, options, /: (child, 0))
    replace(os, "wait", lambda: (child, 0))


def note_schedulers(*names: str) -> None:
    """What a scheduler or a watcher is given is noted; starting it comes back at once."""
    for dotted in names:
        module, _, name = dotted.rpartition(".")
        try:
            owner = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError):
            continue
        for method, value in _SCHEDULER_METHODS.items():
            if hasattr(owner, method):
                replace(owner, method, value)


def _start_scheduler(self: Any, *arguments: Any, **named: Any) -> None:
    for job, *_ in getattr(self, "_pending_jobs", ()):
        record("command", f"schedule {job.name}", str(job.trigger))
    record("command", f"start {type(self).__name__}")


def _stop_scheduler(self: Any, *arguments: Any, **named: Any) -> None:
    record("command", f"stop {type(self).__name__}")


def _watch(self: Any, event_handler: Any, path: str, **named: Any) -> Any:
    record("command", f"watch {path}", type(event_handler).__name__)
    return None


def _nothing_waits(self: Any, *arguments: Any, **named: Any) -> None:
    return None


_SCHEDULER_METHODS: dict[str, Any] = {
    "start": _start_scheduler,
    "shutdown": _stop_scheduler,
    "stop": _stop_scheduler,
    "schedule": _watch,
    "join": _nothing_waits,
}
