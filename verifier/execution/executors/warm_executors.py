"""Warm executors: closing one gives it back for the next user.

Each job is a process tree of its own. So only the interpreter with its imports is reused, and no
result depends on earlier users.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from types import TracebackType
from typing import Self

from ...errors import SandboxError
from .interface import Capabilities, Executor, Job, Outcome, Profile

MOST = 10
"""Most idle executors that are kept: twice those of one environment under each hash seed."""


@dataclass(slots=True)
class WarmExecutors:
    """Makes executors that stay started. Use it as a context manager, or call `close`."""

    fresh: Callable[[], Executor]
    """Makes an executor if none of that profile is idle."""
    most: int = MOST
    _idle: list[tuple[Profile, Executor]] = field(default_factory=list[tuple[Profile, Executor]])
    """Idle executors; the last used one is last."""
    _coming: dict[Profile, Future[Executor]] = field(
        default_factory=dict[Profile, Future[Executor]]
    )
    """Executors that start ahead of their use."""
    _lock: Lock = field(default_factory=Lock)

    def expect(self, profiles: Iterable[Profile]) -> None:
        """Start executors that will be needed, one after another, in the background."""
        threads = ThreadPoolExecutor(1, "ahead")
        with self._lock:
            known = {*self._coming, *(profile for profile, _ in self._idle)}
            wanted = [each for each in profiles if each not in known]
            self._coming |= {each: threads.submit(self._started, each) for each in wanted}
        threads.shutdown(wait=False)

    def make(self) -> Executor:
        """Return an executor that is given back when it is closed."""
        return _Lent(self)

    def take(self, profile: Profile) -> Executor:
        """Return a started executor of this profile.

        Raises:
            SandboxError: the executor does not start.
        """
        with self._lock:
            for position, (known, executor) in enumerate(self._idle):
                if known == profile:
                    del self._idle[position]
                    return executor
            coming = self._coming.pop(profile, None)
        return coming.result() if coming else self._started(profile)

    def _started(self, profile: Profile) -> Executor:
        executor = self.fresh()
        try:
            executor.start(profile)
        except BaseException:
            executor.close()
            raise
        return executor

    def give_back(self, profile: Profile, executor: Executor) -> None:
        """Keep an executor for the next user. Of too many, close the least recently used one."""
        with self._lock:
            self._idle.append((profile, executor))
            surplus = self._idle[: -self.most]
            del self._idle[: -self.most]
        for _, each in surplus:
            each.close()

    def close(self) -> None:
        """Close idle executors, and those that were started ahead and never used."""
        with self._lock:
            executors = [executor for _, executor in self._idle]
            coming = list(self._coming.values())
            self._idle.clear()
            self._coming.clear()
        begun = [each for each in coming if not each.cancel()]
        executors += [each.result() for each in begun if not each.exception()]
        for each in executors:
            each.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


@dataclass(slots=True)
class _Lent:
    """An executor lent to one user."""

    owner: WarmExecutors
    _profile: Profile = field(default_factory=Profile)
    _executor: Executor | None = None
    _is_busy: bool = False

    def start(self, profile: Profile) -> None:
        """Take an executor."""
        self.close()
        self._executor = self.owner.take(profile)
        self._profile = profile

    def run(self, job: Job) -> Outcome:
        """Run one job."""
        executor = self._started()
        self._is_busy = True
        outcome = executor.run(job)
        self._is_busy = False  # stays set if an exception leaves a job half done
        return outcome

    def close(self) -> None:
        """Give the executor back; close it if an interrupted job still runs on it."""
        executor, self._executor = self._executor, None
        if executor is None:
            return
        if self._is_busy:
            executor.close()
        else:
            self.owner.give_back(self._profile, executor)

    def capabilities(self) -> Capabilities:
        """Return its protections."""
        return self._started().capabilities()

    def _started(self) -> Executor:
        if self._executor is None:
            raise SandboxError("this executor is not started")
        return self._executor
