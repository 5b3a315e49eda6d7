"""Warm sandboxes of many profiles, shared by all who run jobs, in a bounded amount of memory.

A sandbox serves one job at a time. Each job is a process tree of its own, so nothing passes from
one job to the next, whoever sent it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from ...errors import SandboxError
from .host.process_memory import tree_bytes
from .interface import Capabilities, Executor, Job, Outcome, Profile

_UNKNOWN_BYTES = 64 << 20
"""Size of a sandbox that cannot be measured from here, such as a container."""
MEMORY = 2 << 30
"""Default bound on the memory of all sandboxes, in bytes."""


@dataclass(slots=True)
class _Sandbox:
    """A started executor."""

    executor: Executor
    profile: Profile
    size: int
    """Bytes."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What the sandboxes take now, and how many were started so far."""

    warm: int
    bytes: int
    starts: int
    start_seconds: float
    """Wall-clock time of all starts together."""


@dataclass(slots=True)
class SharedSandboxes:
    """Runs jobs in warm sandboxes, one for each profile and each job under way."""

    make: Callable[[], Executor]
    most_bytes: int = MEMORY
    """Idle sandboxes are ended, the least recently used first, until all fit into this."""
    _idle: list[_Sandbox] = field(default_factory=list[_Sandbox])
    """Sandboxes without a job; the last used one is last."""
    _bytes: int = 0
    _count: int = 0
    _starts: int = 0
    _start_seconds: float = 0.0
    _is_closed: bool = False
    _lock: Lock = field(default_factory=Lock)

    def lend(self) -> Executor:
        """Return an executor that takes a sandbox for each of its jobs, for a pool of its own."""
        return _Borrower(self)

    def run(self, profile: Profile, job: Job) -> Outcome:
        """Run a job in a sandbox of the profile. Thread-safe; a fault is an outcome."""
        if self._is_closed:
            return Outcome("infrastructure", detail="the sandboxes were ended")
        try:
            sandbox = self._taken(profile)
        except (SandboxError, OSError) as error:
            return Outcome("infrastructure", detail=str(error))
        return self._run(sandbox, job)

    def usage(self) -> Usage:
        """Return numbers for people and metrics."""
        with self._lock:
            return Usage(self._count, self._bytes, self._starts, self._start_seconds)

    def close(self) -> None:
        """End all idle sandboxes, and from now on each one when its job is done."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for each in idle:
            self._end(each)

    def _run(self, sandbox: _Sandbox, job: Job) -> Outcome:
        """Run a job, and keep the sandbox unless it was lost."""
        is_kept = False
        try:
            outcome = sandbox.executor.run(job)
            is_kept = outcome.end != "infrastructure"
            return outcome
        finally:
            with self._lock:
                is_kept = is_kept and not self._is_closed
                if is_kept:
                    self._idle.append(sandbox)
            if not is_kept:
                self._end(sandbox)

    def _taken(self, profile: Profile) -> _Sandbox:
        """Return an idle sandbox of the profile, or else a new one.

        Raises:
            SandboxError: a new one does not start.
        """
        with self._lock:
            for position in range(len(self._idle) - 1, -1, -1):
                if self._idle[position].profile == profile:
                    return self._idle.pop(position)
        return self._started(profile)

    def _started(self, profile: Profile) -> _Sandbox:
        begin = time.monotonic()
        executor = self.make()
        try:
            executor.start(profile)
        except BaseException:
            executor.close()
            raise
        process: int | None = getattr(executor, "process_id", None)
        size = (tree_bytes(process) if process else 0) or _UNKNOWN_BYTES
        with self._lock:
            self._starts += 1
            self._start_seconds += time.monotonic() - begin
            self._count += 1
            self._bytes += size
            surplus = self._surplus()
        for each in surplus:
            self._end(each)
        return _Sandbox(executor, profile, size)

    def _surplus(self) -> list[_Sandbox]:
        """Return the idle sandboxes to end, least recently used first, so that the others fit."""
        ended: list[_Sandbox] = []
        size = self._bytes
        while self._idle and size > self.most_bytes:
            ended.append(self._idle.pop(0))
            size -= ended[-1].size
        return ended

    def _end(self, sandbox: _Sandbox) -> None:
        sandbox.executor.close()
        with self._lock:
            self._count -= 1
            self._bytes -= sandbox.size


@dataclass(slots=True)
class _Borrower:
    """An executor without a sandbox of its own."""

    owner: SharedSandboxes
    _profile: Profile = field(default_factory=Profile)

    def start(self, profile: Profile) -> None:
        """Start nothing: a sandbox is taken when there is a job."""
        self._profile = profile

    def run(self, job: Job) -> Outcome:
        """Run one job."""
        return self.owner.run(self._profile, job)

    def close(self) -> None:
        """End nothing: sandboxes belong to their owner."""

    def capabilities(self) -> Capabilities:
        """Return nothing known: sandboxes come and go."""
        return Capabilities("shared", (), ("nothing is known before a job",))
