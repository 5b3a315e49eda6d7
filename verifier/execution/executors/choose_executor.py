"""Choose the first executor of a fixed list that works here, and record why others do not.

It never downgrades silently: each refusal is recorded, and an executor that is no sandbox is only
used on request.
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
"""Name, constructor, and whether it is a sandbox."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """An executor that was passed over."""

    name: str
    reason: str
    advice: str = ""
    """What would make it work."""


def _start_nothing(_profiles: Iterable[Profile]) -> None:
    """Start nothing ahead: executors that are not kept start on demand.

    A named function, since other processes refer to it by name.
    """


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen executor."""

    name: str
    make: Callable[[], Executor]
    capabilities: Capabilities
    refusals: tuple[Refusal, ...]
    """The executors before it in the list, with the reason why each was passed over."""
    expect: Callable[[Iterable[Profile]], None] = _start_nothing
    """Announces profiles that will be used, so that kept executors start meanwhile."""

    def lines(self) -> tuple[str, ...]:
        """Return messages for people: what was passed over, what protects, what is lacking."""
        passed = [f"executor {each.name} passed over: {each.reason}" for each in self.refusals]
        lacking = [
            f"executor {self.name} lacks {each}" for each in self.capabilities.missing_protections
        ]
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
    """Return the first executor of the list that runs a script here.

    Args:
        profile: the profile for the trial.
        wanted: name of the only executor to try.
        allow_unshielded: whether an executor that is no sandbox may be chosen without being named.
        keeps: whether `make` first returns the executor of the trial. It stays started, so `make`
            must be called.

    Raises:
        SandboxError: none works; the message has a reason for each.
    """
    if wanted is not None and wanted not in NAMES:
        raise SandboxError(f"no executor is called {wanted}", f"there are {', '.join(NAMES)}")
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
            refusals.append(Refusal(name, error.problem, error.advice))
            executor.close()
            continue
        except BaseException:
            executor.close()
            raise
        if keeps:
            first = _first(StartedExecutor(executor, profile or Profile()), make)
            return Choice(name, first, able, tuple(refusals))
        executor.close()
        return Choice(name, make, able, tuple(refusals))
    reasons = "; ".join(f"{each.name}: {each.reason}" for each in refusals)
    advice = ", or ".join(dict.fromkeys(each.advice for each in refusals if each.advice))
    raise SandboxError(f"no executor works here: {reasons}", advice)


@dataclass(slots=True)
class StartedExecutor:
    """An executor that is already started: the first start with the same profile does nothing."""

    inner: Executor
    profile: Profile
    _is_new: bool = True

    def start(self, profile: Profile) -> None:
        """Start it, unless it is started already."""
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
        """Return its protections."""
        return self.inner.capabilities()


def _first(executor: Executor, make: Callable[[], Executor]) -> Callable[[], Executor]:
    """Return a constructor whose first executor exists already."""
    ready = [executor]

    def start_executor() -> Executor:
        try:
            return ready.pop()
        except IndexError:
            return make()

    return start_executor


@contextmanager
def with_warm_executors(choice: Choice, kept: Profile | None = None) -> Generator[Choice]:
    """Yield the same choice with executors that stay started for later users.

    Args:
        choice: the chosen executor.
        kept: the profile of the executor that the choice keeps, if any; it becomes the first warm
            one.
    """
    with WarmExecutors(choice.make) as warm:
        if kept is not None:
            warm.give_back(kept, choice.make())
        yield replace(choice, make=warm.make, expect=warm.expect)
