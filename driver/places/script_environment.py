"""The environment in which a script runs: built for its imports, or from its lock."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...slicer.closure.start.target_definitions import find_goal
from ...slicer.emission.manifest.requirements import RequiredDistributions, needs_of
from ...slicer.packaging.declared_requirements import build_folders, declared_python
from ...slicer.packaging.installed import has_code
from ...slicer.packaging.tool_table import configured_distributions
from ...slicer.repo.repository import STDLIB
from ...slicer.syntax.requirement import Requirement, parse_requirement
from ...verifier.execution.environments import (
    Addition,
    Environment,
    InstallError,
    Lock,
    Policy,
    Problem,
    ProvidedEnvironment,
    find_python,
    provide,
    run_with_repairs,
)
from ...verifier.execution.executors.interface import Profile
from .repository_origin import Origin
from .scoring_interpreter import environments, profile_in

if TYPE_CHECKING:
    from ...slicer import Repository
    from ...slicer.model import Manifest

FailingImports = Callable[[Profile, Sequence[tuple[str, str]]], tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True)
class Provision:
    """Where a script runs, and how that was set up."""

    profile: Profile
    requirements: tuple[str, ...] = ()
    """Requirements of the script's header, and then of its runs."""
    lock: Lock | None = None
    """The installed distributions; `None` for the current interpreter with its own."""
    problems: tuple[Problem, ...] = ()
    """Requirements that are missing, or installed in another version."""
    additions: tuple[Addition, ...] = ()
    """Requirements that were added because runs needed them."""
    notes: tuple[str, ...] = ()
    failed_imports: tuple[tuple[str, str], ...] = ()
    """Imported modules that fail though installed, or without a known distribution, each with its
    error.
    """

    @property
    def not_importable(self) -> tuple[str, ...]:
        """The modules with failed imports."""
        return tuple(module for module, _ in self.failed_imports)

    @property
    def not_installable(self) -> tuple[str, ...]:
        """Distributions and modules that need a stand-in."""
        failed = [problem.distribution for problem in self.problems if not problem.is_relaxed]
        return tuple(dict.fromkeys((*failed, *self.not_importable)))

    def import_error(self, module: str) -> str:
        """Return the error of importing a module, or another below the same top-level package."""
        return dict(self.failed_imports).get(module.partition(".")[0], "")

    def has_code(self, module: str, distribution: str) -> bool:
        """Whether the installed distribution contains code of the module."""
        python = self.profile.python
        if self.lock is None or python is None:
            return False
        folder = Environment(python.parent.parent, self.lock).site_packages
        return has_code(str(folder), distribution, module)

    def lines(self) -> tuple[str, ...]:
        """Return the messages for people."""
        added = (f"added {each.requirement}: {each.because}" for each in self.additions)
        return (*self.notes, *added, *map(format_problem, self.problems))


def current_interpreter(manifest: Manifest) -> Provision:
    """Return the current interpreter with its installed distributions."""
    return Provision(Profile(), manifest.requirements, notes=("nothing installed for it",))


def provision(
    repository: Repository,
    manifest: Manifest,
    origin: Origin,
    errors: Callable[[Profile], str],
    failing: FailingImports = lambda _profile, _imports: (),
) -> Provision:
    """Install a slice's requirements as of its commit, and add those that its runs then need.

    Args:
        repository: the slice's repository.
        manifest: the slice's manifest.
        origin: the repository's origin, with the commit.
        errors: runs the slice, and returns the text of its errors.
        failing: runs imports, and returns those that fail, each with the text of its exception.

    Raises:
        InstallError: uv is absent, or the index cannot be reached.
    """
    cache = environments()
    python, notes = _python(manifest.requires_python, cache.folder)
    if manifest.requirements and not origin.time:
        notes += ("the commit's date is not known: versions are the newest",)
    needs = needs_for(repository, manifest)

    def requirement(module: str) -> str | None:
        found = needs.requirement_of(module)
        return str(found) if found else None

    found = run_with_repairs(
        manifest.requirements,
        lambda provided: errors(profile_in(provided.environment)),
        lambda text: text,
        requirement,
        cache=cache,
        policy=_policy(python, manifest, origin, needs),
    )
    place = _provision(manifest.requirements, found.provided, found.additions, notes)
    failed = _failed_imports(manifest, found.result)
    if found.result and not failed:
        imports = list(_imports_of(manifest))
        tried = failing(place.profile, imports) if imports else ()
        # it is installed, but lacks a system library, or conflicts with other packages
        failed = tuple((m, text) for m, text in tried if found.result.rstrip().endswith(text))
    return replace(place, failed_imports=failed)


def provision_verbose(
    repository: Repository,
    manifest: Manifest,
    origin: Origin,
    errors: Callable[[Profile], str],
    report: Callable[[str], None],
    failing: FailingImports = lambda _profile, _imports: (),
) -> Provision:
    """Install as `provision` does, with a message before, and advice if nothing can be installed.

    Raises:
        InstallError: uv is absent, or the index cannot be reached.
    """
    if manifest.requirements:
        report(f"installing {', '.join(manifest.requirements)}")
    try:
        return provision(repository, manifest, origin, errors, failing)
    except InstallError as error:
        advice = error.advice
        if "--no-install" not in advice:
            advice += ", or run it with the interpreter at hand: --no-install"
        raise InstallError(error.problem, advice) from error


def install_ahead(repository: Repository, manifest: Manifest, origin: Origin) -> None:
    """Install what `provision` will first need, so that it finds it there.

    Raises:
        InstallError: uv is absent, or the index cannot be reached.
    """
    _ = provided_for(repository, manifest, origin, manifest.requirements)


def provided_for(
    repository: Repository,
    manifest: Manifest,
    origin: Origin,
    requirements: Sequence[str],
    undated: Sequence[str] = (),
    pins: Lock | None = None,
) -> ProvidedEnvironment:
    """Return an environment with the requirements available as of the slice's commit.

    Args:
        repository: the slice's repository.
        manifest: the slice's manifest.
        origin: the repository's origin, with the commit.
        requirements: the requirements.
        undated: distributions that may be younger.
        pins: lock of another environment, whose versions this one shares.

    Raises:
        InstallError: uv is absent, or the index cannot be reached.
    """
    cache = environments()
    python, _ = _python(manifest.requires_python, cache.folder)
    policy = _policy(python, manifest, origin, needs_for(repository, manifest))
    fixed = tuple(f"{each.name}=={each.version}" for each in pins.packages) if pins else ()
    policy = replace(
        policy,
        undated=(*policy.undated, *undated),
        constraints=tuple(dict.fromkeys((*fixed, *policy.constraints))),
    )
    return provide(requirements, cache, policy)


def provided_for_path(
    repository: Repository,
    path: str,
    origin: Origin,
    requirements: Sequence[str],
    distributions: Sequence[tuple[str, str]] = (),
    undated: Sequence[str] = (),
) -> ProvidedEnvironment:
    """Return an environment with the requirements for a file of the repository, for any slice.

    Args:
        repository: the file's repository.
        path: path of the file.
        origin: the repository's origin, with the commit.
        requirements: the requirements.
        distributions: modules, each with the requirement that provides it.
        undated: distributions that may be younger than the commit.

    Raises:
        InstallError: uv is absent, or the index cannot be reached.
    """
    cache = environments()
    needs = needs_for_path(repository, path, distributions)
    python, _ = _python(declared_python(repository, needs.folders), cache.folder)
    pins = tuple(_pin(fixed) for fixed in needs.constraints())
    policy = Policy(
        python, exclude_newer=origin.time or "", undated=tuple(undated), constraints=pins
    )
    return provide(requirements, cache, policy)


def needs_for_path(
    repository: Repository, path: str, distributions: Sequence[tuple[str, str]] = ()
) -> RequiredDistributions:
    """Return the needs of a file of the repository."""
    configured = configured_distributions(repository, distributions)
    return RequiredDistributions(repository, (), build_folders(repository, path), configured)


def needs_for(repository: Repository, manifest: Manifest) -> RequiredDistributions:
    """Return the needs of a slice, with the distributions given when it was made."""
    goals = [find_goal(repository, target) for target in manifest.targets]
    return needs_of(repository, goals, manifest.distributions)


def _policy(
    python: Path, manifest: Manifest, origin: Origin, needs: RequiredDistributions
) -> Policy:
    return Policy(
        python,
        exclude_newer=origin.time or "",
        undated=_fakes(manifest),
        constraints=tuple(_pin(fixed) for fixed in needs.constraints()),
    )


_FAILED_IMPORT = re.compile(
    r"^(?:ImportError: cannot import name '[^']*' from '([\w.]+)'"
    r"|ModuleNotFoundError: No module named '([\w.]+)')",
    re.MULTILINE,
)


def _failed_imports(manifest: Manifest, error: str) -> tuple[tuple[str, str], ...]:
    """Return top-level names of the slice's imports that failed in its last run, with errors."""
    imported = {external.module.partition(".")[0] for external in manifest.externals} - STDLIB
    failed = {
        top: found[0]
        for found in _FAILED_IMPORT.finditer(error)
        if (top := (found[1] or found[2]).partition(".")[0]) in imported
    }
    return tuple(sorted(failed.items()))


def _imports_of(manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Yield top-level names of the external imports, each with an import statement."""
    for external in manifest.externals:
        top = external.module.partition(".")[0]
        if external.treatment == "real" and top not in STDLIB:
            names = [name for name in external.names if name.isidentifier()]
            yield top, f"import {external.module}"
            if names:
                yield top, f"from {external.module} import {', '.join(names)}"


def _fakes(manifest: Manifest) -> tuple[str, ...]:
    """Return the distributions that the slice needs only for its mocks."""
    texts = (text for each in manifest.mocks for text in each.requirements)
    return tuple(sorted({found.name for text in texts if (found := parse_requirement(text))}))


def _provision(
    requirements: Sequence[str],
    provided: ProvidedEnvironment,
    additions: Sequence[Addition],
    notes: Sequence[str],
) -> Provision:
    return Provision(
        profile=profile_in(provided.environment),
        requirements=(
            *requirements,
            *(each.requirement for each in additions if each.is_installed),
        ),
        lock=provided.environment.lock,
        problems=provided.problems,
        additions=tuple(additions),
        notes=(*notes, *provided.notes),
    )


def _pin(requirement: Requirement) -> str:
    """Return a requirement in the form of a constraint: without extras."""
    return str(replace(requirement, extras=()))


def _python(specifier: str, cache: Path) -> tuple[Path, tuple[str, ...]]:
    """Return an interpreter that the repository allows, or the current one with a note."""
    own = Path(sys.executable)
    found = find_python(specifier, cache, own) if specifier else own
    if found is None:
        return own, (f"no Python {specifier} is installed here: it runs with {own.name}",)
    return found, () if found == own else (f"it runs with {found}",)


def format_problem(problem: Problem) -> str:
    """Return the message for people about a requirement that cannot be installed."""
    ending = "in another version" if problem.is_relaxed else "not installed"
    return f"{problem.requirement}: {ending}: {problem.code}: {problem.detail}"
