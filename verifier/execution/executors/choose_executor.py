"""Which executor is used: the first of a fixed list that works here, and why the others do not.

Never a silent downgrade: each refusal is kept, and the executor that is no sandbox is only taken by
somebody who asked for it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module

from ...errors import SandboxError
from . import EXECUTORS, NAMES
from .interface import Capabilities, Executor, Job, Outcome, Profile
from .warm_executors import WarmExecutors


def _make(module: str) -> Executor:
    made: Executor = import_module(f".{module}", __package__).EXECUTOR()
    return made


ORDER: tuple[tuple[str, Callable[[], Executor], bool], ...] = tuple(
    (name, partial(_make, module), is_sandbox) for name, module, is_sandbox in EXECUTORS
)
"""Name, how to make one, and whether it is a sandbox."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """An executor that was passed over."""

    name: str
    reason: str


def _start_nothing(_profiles: Iterable[Profile]) -> None:
    """Executors that are not kept start when they are wanted; known by name to other processes."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen."""

    name: str
    make: Callable[[], Executor]
    capabilities: Capabilities
    refusals: tuple[Refusal, ...]
    """The executors before it in the list, and why each was passed over."""
    expect: Callable[[Iterable[Profile]], None] = _start_nothing
    """Takes profiles that will be wanted: where executors stay started, they start meanwhile."""

    def lines(self) -> tuple[str, ...]:
        """What people should be told: what was passed over, that it protects, what is lacking."""
        passed = [f"executor {each.name} passed over: {each.reason}" for each in self.refusals]
        lacking = [f"executor {self.name} lacks {each}" for each in self.capabilities.lacks]
        count = len(self.capabilities.protections)
        force = f"{count} protections in force" if count else "no protection"
        return (*passed, f"executor {self.name}: {force}", *lacking)


def choose(
    profile: Profile | None = None,
    *,
    wanted: str | None = None,
    allow_unshielded: bool = False,
    keeps: bool = False,
) -> Choice:
    """The first executor of the list that runs a script here.

    Args:
        profile: what it is tried with.
        wanted: only this one.
        allow_unshielded: whether one that is no sandbox may be taken without being named.
        keeps: whether the executor that it was tried with is the first that `make` gives. It stays
            started until then, so that `make` must be called.

    Raises:
        SandboxError: none works; the message has a reason for each.
    """
    if wanted is not None and wanted not in NAMES:
        raise SandboxError(f"no executor is called {wanted}: there are {', '.join(NAMES)}")
    refusals: list[Refusal] = []
    for name, make, is_sandbox in ORDER:
        if wanted is not None and name != wanted:
            continue
        if not is_sandbox and wanted is None and not allow_unshielded:
            refusals.append(Refusal(name, "it is no sandbox, and was not asked for"))
            continue
        executor = make()
        try:
            executor.start(profile or Profile())
            able = executor.capabilities()
        except SandboxError as error:
            refusals.append(Refusal(name, str(error)))
            executor.close()
            continue
        except BaseException:
            executor.close()
            raise
        if keeps:
            first = _first(Started(executor, profile or Profile()), make)
            return Choice(name, first, able, tuple(refusals))
        executor.close()
        return Choice(name, make, able, tuple(refusals))
    reasons = "; ".join(f"{each.name}: {each.reason}" for each in refusals)
    raise SandboxError(f"no executor works here: {reasons}")


@dataclass(slots=True)
class Started:
    """An executor that is started already: to start it with the same profile does nothing, once."""

    inner: Executor
    profile: Profile
    _is_new: bool = True

    def start(self, profile: Profile) -> None:
        """Start it, unless that has been done."""
        is_ready, self._is_new = self._is_new and profile == self.profile, False
        if not is_ready:
            self.inner.start(profile)

    def run(self, job: Job) -> Outcome:
        """Run one job."""
        return self.inner.run(job)

    def close(self) -> None:
        """End it."""
        self._is_new = False
        self.inner.close()

    def capabilities(self) -> Capabilities:
        """What it protects from."""
        return self.inner.capabilities()


def _first(executor: Executor, make: Callable[[], Executor]) -> Callable[[], Executor]:
    """What makes executors, of which the first is there."""
    ready = [executor]

    def start_executor() -> Executor:
        try:
            return ready.pop()
        except IndexError:
            return make()

    return start_executor


@contextmanager
def with_warm_executors(choice: Choice, kept: Profile | None = None) -> Generator[Choice]:
    """The same choice, whose executors stay started for the next that wants one like it.

    Args:
        choice: what was chosen.
        kept: what the executor was tried with that the choice keeps, if it keeps one: it is then
            the first that is warm.
    """
    with WarmExecutors(choice.make) as warm:
        if kept is not None:
            warm.give_back(kept, choice.make())
        yield replace(choice, make=warm.make, expect=warm.expect)
