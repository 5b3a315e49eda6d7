"""The place where a slice's cases run in its repository, with all imports of its modules."""

from __future__ import annotations

import ast
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ....slicer.closure.repository_analysis import analysis_of
from ....slicer.effects.imports.import_closure import ImportClosure
from ....slicer.errors import SourceError
from ....slicer.repo.repository import STDLIB
from ....slicer.syntax.requirement import parse_requirement
from ....verifier.errors import SandboxError
from ....verifier.evidence.faithfulness import Faithfulness, faithful
from ....verifier.evidence.in_place.in_place_script import InPlace, in_place
from ....verifier.evidence.in_place.repository_copy import copy_of
from ....verifier.evidence.refusals import Refusal, missing_module
from ....verifier.execution.environments import InstallError
from ...places.script_environment import needs_for, provided_for

if TYPE_CHECKING:
    from ....slicer import Repository
    from ....slicer.model import Slice
    from ....verifier.execution.environments import Lock
    from ....verifier.execution.executors.choose_executor import Choice
    from ....verifier.execution.executors.interface import Executor, Job, Outcome, Profile
    from ....verifier.scoring.oracle.oracle import Oracle, Runs
    from ...places.repository_origin import Origin
    from ...places.script_environment import Provision

_MOST_FILES = 400
"""Maximum number of files whose imports are installed."""
_MOST_MISSING = 3
"""Maximum number of missing modules installed in turn; the record names the next."""


@dataclass(slots=True)
class RepositoryRuns:
    """Runs cases in a slice's repository."""

    repository: Repository
    sliced: Slice
    origin: Origin
    place: Provision
    """Where the slice runs."""
    choice: Choice
    installs: bool
    """Whether further imports of the repository's modules are installed for them."""
    _profile: Profile | None = None
    """The interpreter with all imports of the repository's modules, once it was needed."""
    _added_modules: tuple[str, ...] = ()
    """Modules that were missing, and were then installed with their own imports."""

    def __call__(self, oracle: Oracle, sliced: Slice | None = None) -> Faithfulness:
        """Return the comparison of the oracle's cases in the repository.

        Args:
            oracle: the behaviour of a slice.
            sliced: that slice, if it is not this object's own.

        Raises:
            SandboxError: the sandbox fails.
        """
        script = self.script_of(sliced or self.sliced)
        if script is None:
            return Faithfulness(why_not=Refusal("not_run", "its files are too large to be copied"))
        found = self.compared(oracle, script)
        while self.installs and (missing := self._to_install(found)):
            self._added_modules += (missing,)
            profile = self._with_all_imports()
            if profile is None:
                return found
            self._profile = profile
            found = self.compared(oracle, script)
        return found

    def _to_install(self, found: Faithfulness) -> str:
        """Return the missing module to install next; empty if there is none, or it was tried
        before.

        Each import error names only one missing module.
        """
        missing = missing_module(found.why_not.detail) if found.why_not else ""
        if (
            not missing
            or missing in self._added_modules
            or len(self._added_modules) == _MOST_MISSING
        ):
            return ""
        return "" if self._is_own(missing) else missing

    def script_of(self, sliced: Slice) -> InPlace | None:
        """Return the script that runs a slice's cases there; `None` if it cannot be copied."""
        copy = copy_of(self.repository)
        return in_place(self.repository, sliced, Path(copy.name)) if copy is not None else None

    def compared(self, oracle: Oracle, script: InPlace) -> Faithfulness:
        """Return the comparison of the oracle's cases with such a script.

        Raises:
            SandboxError: the sandbox fails.
        """
        with self.running(script.folder) as run:
            return faithful(run, oracle, script)

    @contextmanager
    def running(self, *readable: Path) -> Generator[Runs]:
        """Yield a function that runs jobs with everything installed, and with these folders
        readable.

        Raises:
            SandboxError: the sandbox fails.
        """
        profile = self._profile or self.place.profile
        executor = self.choice.make()
        try:
            executor.start(replace(profile, readable=(*profile.readable, *readable)))
            yield partial(_run, executor)
        finally:
            executor.close()

    def _is_own(self, module: str) -> bool:
        return needs_for(self.repository, self.sliced.manifest).distribution(module) is None

    def _with_all_imports(self) -> Profile | None:
        """Return the interpreter with all modules that importing the target's module may import."""
        requirements = (*self.place.requirements, *self._requirements())
        wanted = dict.fromkeys(_pinned(each, self.place.lock) for each in requirements)
        manifest = self.sliced.manifest
        try:
            provided = provided_for(
                self.repository, manifest, self.origin, tuple(wanted), pins=self.place.lock
            )
        except InstallError:
            return None
        return replace(self.place.profile, python=provided.environment.python)

    def _requirements(self) -> Iterator[str]:
        repository, manifest = self.repository, self.sliced.manifest
        needs = needs_for(repository, manifest)
        start = repository.module_at(manifest.targets[0].path)
        closure = ImportClosure(analysis_of(repository).inference, [start])
        paths = [path for path, _ in closure.texts.values()][:_MOST_FILES]
        found = {
            *self._added_modules,
            *(each for path in paths for each in _imported(repository, path)),
        }
        tops = {name.partition(".")[0] for name in closure.texts} | STDLIB
        for module in sorted(each for each in found if each.partition(".")[0] not in tops):
            requirement = needs.requirement_of(module)
            if requirement is not None:
                yield str(requirement)


def _pinned(text: str, lock: Lock | None) -> str:
    """Return the requirement pinned to the version that the slice runs with, if it has one."""
    found = parse_requirement(text)
    version = lock.version(found.name) if lock and found else None
    return str(replace(found, specifier=f"=={version}")) if found and version else text


def _run(executor: Executor, job: Job) -> Outcome:
    outcome = executor.run(job)
    if outcome.end == "infrastructure":
        raise SandboxError.of(outcome.detail)
    return outcome


def _imported(repository: Repository, path: str) -> Iterator[str]:
    """Yield the modules that a file imports when it is loaded."""
    try:
        tree = repository.source(path).tree
    except SourceError:
        return
    for node in tree.body:
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str() as module, level=0):
                yield module
            case _:
                pass
