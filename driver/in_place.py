"""Where the cases of a slice run in its repository: with what the whole of its modules imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..slicer.closure.analysis import analysis_of
from ..slicer.errors import SourceError
from ..slicer.import_closure import ImportClosure
from ..slicer.repository import STDLIB
from ..slicer.requirement import parse_requirement
from ..verifier.environments import InstallError
from ..verifier.errors import SandboxError
from ..verifier.evidence.faithful import Faithful, faithful
from ..verifier.evidence.in_place import InPlace, in_place
from ..verifier.evidence.refusals import Refusal, missing_module
from ..verifier.evidence.repository_copy import copy_of
from .provision import needs_for, provided_for

if TYPE_CHECKING:
    from ..slicer import Repository
    from ..slicer.model import Slice
    from ..verifier.environments import Lock
    from ..verifier.executors.choose import Choice
    from ..verifier.executors.interface import Executor, Job, Outcome, Profile
    from ..verifier.scoring.oracle import Oracle
    from .origin import Origin
    from .provision import Provision

_MOST_FILES = 400
"""Whose imports are installed."""


@dataclass(frozen=True, slots=True)
class RepositoryRuns:
    """Runs the cases of one slice in its repository."""

    repository: Repository
    sliced: Slice
    origin: Origin
    place: Provision
    """Where the slice runs."""
    choice: Choice
    installs: bool
    """Whether what the repository's modules import besides is installed for them."""

    def __call__(self, oracle: Oracle) -> Faithful:
        """What came of it.

        Raises:
            SandboxError: the sandbox fails.
        """
        copy = copy_of(self.repository)
        if copy is None:
            return Faithful(why_not=Refusal("not_run", "its files are too large to be copied"))
        script = in_place(self.repository, self.sliced, Path(copy.name))
        found = self._compared(oracle, script, self.place.profile)
        missing = missing_module(found.why_not.detail) if found.why_not else ""
        if missing and self.installs and not self._is_own(missing):
            profile = self._with_all_imports(missing)
            if profile is not None:
                return self._compared(oracle, script, profile)
        return found

    def _compared(self, oracle: Oracle, script: InPlace, profile: Profile) -> Faithful:
        executor = self.choice.make()
        try:
            executor.start(replace(profile, readable=(*profile.readable, script.folder)))
            return faithful(partial(_run, executor), oracle, script)
        finally:
            executor.close()

    def _is_own(self, module: str) -> bool:
        return needs_for(self.repository, self.sliced.manifest).distribution(module) is None

    def _with_all_imports(self, missing: str) -> Profile | None:
        """The interpreter with all that importing the target's module may import."""
        asked = (*self.place.requirements, *self._requirements(missing))
        wanted = dict.fromkeys(_pinned(each, self.place.lock) for each in asked)
        manifest = self.sliced.manifest
        try:
            provided = provided_for(
                self.repository, manifest, self.origin, tuple(wanted), pins=self.place.lock
            )
        except InstallError:
            return None
        return replace(self.place.profile, python=provided.environment.python)

    def _requirements(self, missing: str) -> Iterator[str]:
        repository, manifest = self.repository, self.sliced.manifest
        needs = needs_for(repository, manifest)
        start = repository.module_at(manifest.targets[0].path)
        closure = ImportClosure(analysis_of(repository).inference, [start])
        paths = [path for path, _ in closure.texts.values()][:_MOST_FILES]
        found = {missing, *(each for path in paths for each in _imported(repository, path))}
        tops = {name.partition(".")[0] for name in closure.texts} | STDLIB
        for module in sorted(each for each in found if each.partition(".")[0] not in tops):
            distribution = needs.distribution(module)
            requirement = needs.requirement(distribution) if distribution else None
            if requirement is not None:
                yield str(requirement)


def _pinned(text: str, lock: Lock | None) -> str:
    """The requirement at the version that the slice runs with, where that has it."""
    found = parse_requirement(text)
    version = lock.version(found.name) if lock and found else None
    return str(replace(found, specifier=f"=={version}")) if found and version else text


def _run(executor: Executor, job: Job) -> Outcome:
    outcome = executor.run(job)
    if outcome.end == "infrastructure":
        raise SandboxError.of(outcome.detail)
    return outcome


def _imported(repository: Repository, path: str) -> Iterator[str]:
    """Modules that a file imports wherever it is loaded."""
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
