"""Which executor is used: the first of a fixed list that works here, and why the others do not.

Never a silent downgrade: each refusal is kept, and the executor that is no sandbox is only taken by
somebody who asked for it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from ..errors import SandboxError
from .docker import DockerExecutor
from .embedded import EmbeddedExecutor
from .interface import Capabilities, Executor, Profile
from .plain import PlainExecutor
from .warm import Warm

ORDER: tuple[tuple[str, Callable[[], Executor], bool], ...] = (
    ("embedded", EmbeddedExecutor, True),
    ("docker", DockerExecutor, True),
    ("plain", PlainExecutor, False),
)
"""Name, how to make one, and whether it is a sandbox."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """An executor that was passed over."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen."""

    name: str
    make: Callable[[], Executor]
    capabilities: Capabilities
    refusals: tuple[Refusal, ...]
    """The executors before it in the list, and why each was passed over."""

    def lines(self) -> tuple[str, ...]:
        """What people should be told: what was passed over, that it protects, what is lacking."""
        passed = [f"executor {each.name} passed over: {each.reason}" for each in self.refusals]
        lacking = [f"executor {self.name} lacks {each}" for each in self.capabilities.lacks]
        count = len(self.capabilities.protections)
        force = f"{count} protections in force" if count else "no protection"
        return (*passed, f"executor {self.name}: {force}", *lacking)


def choose(
    profile: Profile | None = None, *, wanted: str | None = None, allow_unshielded: bool = False
) -> Choice:
    """The first executor of the list that runs a script here.

    Args:
        profile: what it is tried with.
        wanted: only this one.
        allow_unshielded: whether one that is no sandbox may be taken without being named.

    Raises:
        SandboxError: none works; the message has a reason for each.
    """
    names = [name for name, _, _ in ORDER]
    if wanted is not None and wanted not in names:
        raise SandboxError(f"no executor is called {wanted}: there are {', '.join(names)}")
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
            return Choice(name, make, executor.capabilities(), tuple(refusals))
        except SandboxError as error:
            refusals.append(Refusal(name, str(error)))
        finally:
            executor.close()
    reasons = "; ".join(f"{each.name}: {each.reason}" for each in refusals)
    raise SandboxError(f"no executor works here: {reasons}")


@contextmanager
def kept_warm(choice: Choice) -> Generator[Choice]:
    """The same choice, whose executors stay started for the next that wants one like it."""
    with Warm(choice.make) as warm:
        yield replace(choice, make=warm.make)
