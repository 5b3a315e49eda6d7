"""Worker processes: each function has a time limit, and a function that hangs or crashes costs only
itself.

A worker returns one entry for each function it was given, in order. So the driver knows which
function it works on when it stops answering.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from multiprocessing.connection import Pipe, wait
from typing import TYPE_CHECKING, Any, cast

from ...slicer import Repository
from ...slicer.errors import SliceFuncError
from ..reason_codes import reason
from .entries import Entry, failed_entry
from .worker import Work, Worker

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess
    from types import FrameType

    from ...slicer.model import Target

_START_SECONDS = 120.0
_END_SECONDS = 5.0
_INSTALL_SECONDS = 1800.0
"""Time allowed beyond the installer's own limits for each of its steps."""


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
    with contextlib.closing(_Run(work, deque(targets), seconds, chunk)) as run:
        run.start(min(jobs, -(-len(targets) // chunk)))
        yield from run.entries()


@dataclass(slots=True, eq=False)
class _Child:
    """One process, with the functions that it has yet to answer for."""

    process: SpawnProcess
    channel: Connection[Any, Any]
    given: deque[Target] = field(default_factory=deque["Target"])
    known: Entry | None = None
    """The known part of the entry for its current function."""
    is_ready: bool = False
    is_installing: bool = False
    """Whether it is installing requirements, which happens once while others may wait."""
    since: float = field(default_factory=time.monotonic)
    """Time when it began its current function."""


@dataclass(slots=True)
class _Run:
    work: Work
    left: deque[Target]
    seconds: float
    chunk: int
    children: list[_Child] = field(default_factory=list[_Child])

    def start(self, number: int) -> None:
        for _ in range(number):
            context = get_context("spawn")
            ours, theirs = Pipe()
            process = context.Process(target=_serve, args=(self._timed, theirs), daemon=True)
            with _interrupts_wait():
                process.start()
            theirs.close()
            self.children.append(_Child(process, cast("Connection[Any, Any]", ours)))

    @property
    def _timed(self) -> Work:
        """Return the work with its time limit."""
        verification = self.work.verification
        return replace(
            self.work, verification=verification and replace(verification, seconds=self.seconds)
        )

    def entries(self) -> Iterator[Entry]:
        while self.children:
            limits = [each.since + self._limit(each) for each in self.children]
            patience = max(0.0, min(limits) - time.monotonic())
            answered = wait([each.channel for each in self.children], patience)
            now = time.monotonic()
            for child in tuple(self.children):
                if child.channel in answered:
                    entry = self._answer(child)
                elif now >= child.since + (limit := self._limit(child)):
                    entry = self._lost(child, "out_of_time", f"not done in {limit:.0f} s")
                else:
                    continue
                if entry is not None:
                    yield entry

    def close(self) -> None:
        for child in self.children:
            child.process.terminate()
        while self.children:
            self._end(self.children[0])

    def _limit(self, child: _Child) -> float:
        if child.is_installing:
            return _INSTALL_SECONDS
        return self.seconds if child.is_ready else _START_SECONDS

    def _answer(self, child: _Child) -> Entry | None:
        """Receive a message of a process, and give it more functions."""
        try:
            message = child.channel.recv()
        except (EOFError, OSError):
            return self._lost(child, "worker_died", "")
        match message:
            case ("known", Entry() as known):
                child.known, child.is_installing = known, True
                return None
            case ("installed", _):
                child.is_installing = False
                child.since = time.monotonic()
                return None
            case ("entry", Entry() as entry):
                child.known, child.is_installing = None, False
                child.given.popleft()
            case _:
                entry = None
                child.is_ready = True
        child.since = time.monotonic()
        if not child.given:
            self._give(child)
        return entry

    def _give(self, child: _Child) -> None:
        """Give a process its next functions; without any, end it."""
        more = [self.left.popleft() for _ in range(min(self.chunk, len(self.left)))]
        child.given.extend(more)
        try:
            if more:
                child.channel.send(more)
            else:
                child.channel.close()
                self._end(child)
        except OSError:
            return  # it died: the next wait reports that

    def _lost(self, child: _Child, code: str, detail: str) -> Entry:
        """End a process, and start another with the functions that it had not begun."""
        took = round(time.monotonic() - child.since, 4)
        self._end(child, is_stuck=True)
        if not child.is_ready or not child.given:
            raise WorkerError("a worker process does not start, or ends with nothing to do")
        target = child.given.popleft()
        self.left.extendleft(reversed(child.given))
        if self.left:
            self.start(1)
        why = reason(code, target.path, None, detail)
        known = child.known or failed_entry(target, why)
        return replace(known, reasons=(why,), seconds=took)

    def _end(self, child: _Child, *, is_stuck: bool = False) -> None:
        self.children.remove(child)
        if is_stuck:
            child.process.terminate()  # it closes its sandboxes
        child.process.join(_END_SECONDS)
        if child.process.is_alive():
            child.process.kill()
            child.process.join()
        child.channel.close()


def _pass_over(_signal: int, _frame: FrameType | None) -> None:
    return


def _leave(_signal: int, _frame: FrameType | None) -> None:
    sys.exit(1)


@contextlib.contextmanager
def _interrupts_wait() -> Generator[None]:
    """Start processes that hear no interrupt before they have a handler: all would print why."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(work: Work, channel: Connection[Any, Any]) -> None:
    """Run the loop of a worker process."""
    # the parent receives an interrupt too, and ends this process; programs started here must not
    # inherit an ignored signal, so it has a handler
    signal.signal(signal.SIGINT, _pass_over)
    signal.signal(signal.SIGTERM, _leave)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    worker = Worker(work, Repository(work.repository, roots=work.roots))
    try:
        channel.send(("ready", None))
        while True:
            targets: list[Target] = channel.recv()
            for target in targets:
                entry = worker.entry(
                    target,
                    lambda known: channel.send(("known", known)),
                    lambda: channel.send(("installed", None)),
                )
                channel.send(("entry", entry))
    except (EOFError, OSError):
        return  # the parent has closed the channel, or ended
    finally:
        worker.close()
