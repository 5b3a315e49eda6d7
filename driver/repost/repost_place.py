"""The environment of scripts that a model assembled, which grows with their imports.

A distribution that the model names is installed only if an import of the script needs it, according
to the tables that slices use, and only by the environment builder.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from ...slicer.repo.repository import STDLIB
from ...slicer.syntax.requirement import normal, parse_requirement
from ...verifier.errors import SandboxError
from ...verifier.execution.environments import Problem
from ...verifier.execution.executors.interface import Executor, Job, Limits, Outcome, Profile
from ...verifier.scoring.oracle.oracle_recording import STILL
from ..places.repository_origin import origin_of
from ..places.script_environment import format_problem, needs_for, provided_for

if TYPE_CHECKING:
    from ...slicer import Repository
    from ...slicer.model import Slice
    from ...verifier.execution.executors.choose_executor import Choice

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}")
_LIMITS = Limits(wall_seconds=120.0, cpu_seconds=60.0, memory_bytes=4 << 30)


@dataclass(slots=True)
class RepostPlace:
    """The place where the scripts of one function run; close it, or use it as a context manager."""

    repository: Repository
    sliced: Slice
    choice: Choice
    installs: bool = True
    """Whether the scripts' imports are installed for them."""
    report: Callable[[str], None] = lambda _line: None
    _requirements: dict[str, None] = field(default_factory=dict[str, None])
    _executor: Executor | None = None
    _profile: Profile | None = None
    _reported: list[Problem] = field(default_factory=list[Problem])

    def add_imports(self, script: str, packages: Sequence[str]) -> None:
        """Record a script's imports; packages that it names count only if an import needs them."""
        needs = needs_for(self.repository, self.sliced.manifest)
        modules = tuple(dict.fromkeys(_imported(script)))
        distributions = tuple(filter(None, map(needs.distribution, modules)))
        found = filter(None, map(needs.requirement, distributions))
        self._requirements.update(dict.fromkeys(map(str, found)))
        own = {normal(name) for name in (*modules, *distributions)}
        refused = sorted({name for name in packages if _name(name) not in own})
        if refused:
            self.report(f"not installed, as no import leads to it: {', '.join(refused)}"[:300])

    def error(self, text: str) -> str:
        """Return the error of running a script; empty if there is none."""
        outcome = self.run(Job(text, determinism=STILL, limits=_LIMITS))
        if outcome.end == "exited" and not outcome.exit_status:
            return ""
        stderr = outcome.stderr.decode("utf-8", "replace").strip()
        message = "\n".join(filter(None, (stderr, outcome.detail)))
        return _ADDRESS.sub("0x…", message) or f"exit status {outcome.exit_status}"

    def run(self, job: Job) -> Outcome:
        """Run a job where all recorded requirements are installed.

        Raises:
            SandboxError: the sandbox fails.
            InstallError: nothing can be installed.
        """
        outcome = self._started().run(job)
        if outcome.end == "infrastructure":
            raise SandboxError.of(outcome.detail)
        return outcome

    def close(self) -> None:
        """Close the executor."""
        if self._executor is not None:
            self._executor.close()
            self._executor = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _started(self) -> Executor:
        profile = Profile()
        if self.installs:
            provided = provided_for(
                self.repository,
                self.sliced.manifest,
                origin_of(self.repository.path),
                tuple(self._requirements),
            )
            profile = Profile(python=provided.environment.python)
            for problem in provided.problems:
                if problem not in self._reported:
                    self._reported.append(problem)
                    self.report(format_problem(problem))
        if self._executor is None or profile != self._profile:
            self.close()
            self._executor = self.choice.make()
            self._executor.start(profile)
            self._profile = profile
        return self._executor


def _name(requirement: str) -> str:
    """Return the normal name in a requirement."""
    found = parse_requirement(requirement)
    return normal(found.name) if found else ""


def _imported(script: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(script)):
        match node:
            case ast.Import(names=names):
                modules = [alias.name for alias in names]
            case ast.ImportFrom(module=str() as module, names=names, level=0):
                modules = [module, *(f"{module}.{alias.name}" for alias in names)]
            case _:
                continue
        yield from (each for each in modules if each.partition(".")[0] not in STDLIB)
