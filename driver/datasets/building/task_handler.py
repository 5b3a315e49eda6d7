"""The work of a build in one process: it keeps a repository open, and serves its functions."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ....slicer import Repository
from ...batch.entries import Entry, failed_entry
from ...batch.handler import Handler, Loss
from ...batch.serving import OtherPython
from ...batch.worker import Work, Worker
from ...places.newer_python import needed_version, newer_python
from ...places.repository_origin import origin_of
from ...record.reason_codes import of_error
from .checkouts import Checkout, lacks_line, open_checkout
from .disk_room import full_disk
from .journal_rows import lost, made
from .plan import RepositoryPlan
from .tasks import BuildOptions, Made, Make, Result, Survey, Surveyed, Task

if TYPE_CHECKING:
    from ....verifier.execution.executors.choose_executor import Choice

_SURVEY_SECONDS = 1800.0


def _limit_memory(gigabytes: float) -> None:
    """Let an allocation beyond the limit fail, which is a reason; the kernel would kill us."""
    limit = int(gigabytes * (1 << 30))
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


@dataclass(slots=True)
class _Open:
    """The repository that is open."""

    plan: RepositoryPlan
    checkout: Checkout
    worker: Worker


@dataclass(frozen=True, slots=True)
class _Away:
    key: str
    """Key of the repository whose code needs the Python of this process."""
    home: Path
    """The Python of the build."""


@dataclass(slots=True)
class TaskHandler(Handler[Task, Result]):
    """How the tasks of a build are done."""

    options: BuildOptions
    _away: _Away | None = None
    """Why this process is of another Python than the build, if it is."""
    _open: _Open | None = None
    _choice: Choice | None = None

    def seconds(self, task: Task, /) -> float:
        """Return the time limit of a task."""
        return _SURVEY_SECONDS if isinstance(task, Survey) else self.options.seconds

    def do(self, task: Task, report: Callable[[Entry], None], begin: Callable[[], None]) -> Result:
        """Return the result of a task; see `Handler`."""
        _limit_memory(self.options.memory_gb)
        match task:
            case Survey():
                begin()
                return self._surveyed(task)
            case Make():
                return self._made(task, report, begin)

    def lost(self, task: Task, loss: Loss) -> Result:
        """Return the result of a task whose process was lost."""
        return lost(task, loss)

    def _surveyed(self, task: Survey) -> Surveyed:
        started = time.perf_counter()
        plan = task.plan
        full = full_disk(plan.repo)
        if full is not None:
            return Surveyed(plan.repo, rule=full.code, reason=full.hint)
        try:
            found = self._opened(plan)
            targets = tuple(found.worker.repository.targets())
        except Exception as error:  # noqa: BLE001 - one repository must not end the build
            why = of_error(error, plan.repo)
            return Surveyed(plan.repo, rule=why.code, reason=why.hint)
        origin = origin_of(found.checkout.folder)
        if plan.functions is not None:
            wanted = frozenset(plan.functions)
            targets = tuple(each for each in targets if str(each) in wanted)
        if not targets:
            rule, reason = _why_none(found.worker.repository, plan)
            return Surveyed(plan.repo, commit=origin.commit, rule=rule, reason=reason)
        seconds = round(time.perf_counter() - started, 3)
        return Surveyed(
            plan.repo,
            targets,
            origin.commit,
            plan.licence or origin.licence,
            reason=lacks_line(found.checkout.lacks),
            seconds=seconds,
        )

    def _made(self, task: Make, report: Callable[[Entry], None], begin: Callable[[], None]) -> Made:
        full = full_disk(task.target.path)
        if full is not None:
            return made(task, failed_entry(task.target, full))
        try:
            worker = self._opened(task.plan).worker
        except Exception as error:  # noqa: BLE001 - a full disk, or a checkout that is gone
            return made(task, failed_entry(task.target, of_error(error, task.target.path)))
        begin()
        found = worker.outcome(task.target, report, begin)
        full = full_disk(task.target.path)
        if full is not None:
            result = made(task, replace(found.entry, passed=False, reasons=(full,)))
        else:
            result = made(task, found.entry, found.environment)
        if result.disk_full:
            self.close()  # it frees room; and what is kept in memory may lack what found none
        return result

    def _opened(self, plan: RepositoryPlan) -> _Open:
        """Return the repository, after closing the one that was open."""
        if self._open is not None and self._open.plan.key == plan.key:
            return self._open
        self.close()
        if self._away is not None and self._away.key != plan.key:
            raise OtherPython(self._away.home, TaskHandler(self.options), has_packages=True)
        checkout = open_checkout(plan)
        try:
            repository = Repository(checkout.folder)
            self._find_python(repository, plan)
            worker = Worker(self._work(str(checkout.folder)), repository)
        except OtherPython:
            checkout.close()
            raise
        except BaseException:
            checkout.close(removes=True)
            raise
        self._open = _Open(plan, checkout, worker)
        return self._open

    def _find_python(self, repository: Repository, plan: RepositoryPlan) -> None:
        """Let another process go on if the code needs a newer Python, and there is one."""
        version = "" if self._away is not None else needed_version(repository)
        python = newer_python(version) if version else None
        if python is not None:
            there = TaskHandler(self.options, _Away(plan.key, Path(sys.executable)))
            raise OtherPython(python, there, has_packages=False)

    def _work(self, folder: str) -> Work:
        from ....verifier.execution.executors.choose_executor import choose

        if self._choice is None:
            self._choice = choose(wanted=self.options.verification.executor)
        verification = replace(self.options.verification, seconds=self.options.seconds)
        return Work(
            repository=folder,
            roots=(),
            options=self.options.options,
            verification=verification,
            choice=self._choice,
        )

    def close(self) -> None:
        """Close the repository and its sandboxes."""
        if self._open is not None:
            self._open.worker.close()
            self._open.checkout.close(removes=True)
            self._open = None


def _why_none(repository: Repository, plan: RepositoryPlan) -> tuple[str, str]:
    """Return why a repository has no function to try."""
    left_out = [str(error) for _, error in repository.unreadable()]
    if left_out:
        return "unreadable", left_out[0]
    if plan.functions:
        return "no_function", "it has none of the functions that the list names"
    return "no_function", "it has no function"
