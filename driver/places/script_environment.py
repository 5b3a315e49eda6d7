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
    Provided,
    find_python,
    provide,
    run_with_repairs,
)
from ...verifier.execution.executors.interface import Profile
from .locked_interpreter import environments, profile_in
from .repository_origin import Origin

if TYPE_CHECKING:
    from ...slicer import Repository
    from ...slicer.model import Manifest

FailingImports = Callable[[Profile, Sequence[tuple[str, str]]], tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True)
class Provision:
    """Where a script runs, and how that came about."""

    profile: Profile
    requirements: tuple[str, ...] = ()
    """What was asked for: by the script's header, then by its runs."""
    lock: Lock | None = None
    """What is installed; `None` for the interpreter at hand with whatever it has."""
    problems: tuple[Problem, ...] = ()
    """What is not installed, or not as asked."""
    additions: tuple[Addition, ...] = ()
    """What runs asked for."""
    notes: tuple[str, ...] = ()
    failed_imports: tuple[tuple[str, str], ...] = ()
    """Modules that the slice imports and that fail though they are installed, or of which nobody
    knows the distribution; each with what its import has said."""

    @property
    def not_importable(self) -> tuple[str, ...]:
        """The modules of these."""
        return tuple(module for module, _ in self.failed_imports)

    @property
    def not_installable(self) -> tuple[str, ...]:
        """Distributions and modules that need a stand-in."""
        gone = [problem.distribution for problem in self.problems if not problem.is_relaxed]
        return tuple(dict.fromkeys((*gone, *self.not_importable)))

    def import_error(self, module: str) -> str:
        """What the import of a module, or of another below the same top, has said."""
        return dict(self.failed_imports).get(module.partition(".")[0], "")

    def has_code(self, module: str, distribution: str) -> bool:
        """Whether code of the module is in what is installed of the distribution."""
        python = self.profile.python
        if self.lock is None or python is None:
            return False
        folder = Environment(python.parent.parent, self.lock).site_packages
        return has_code(str(folder), distribution, module)

    def lines(self) -> tuple[str, ...]:
        """What people should be told."""
        added = (f"added {each.requirement}: {each.because}" for each in self.additions)
        return (*self.notes, *added, *map(format_problem, self.problems))


def current_interpreter(manifest: Manifest) -> Provision:
    """The interpreter that runs us, with what it has installed."""
    return Provision(Profile(), manifest.requirements, notes=("nothing installed for it",))


def provision(
    repository: Repository,
    manifest: Manifest,
    origin: Origin,
    errors: Callable[[Profile], str],
    failing: FailingImports = lambda _profile, _imports: (),
) -> Provision:
    """Install what a slice needs, as of its commit; what its runs then ask for is added.

    Args:
        repository: where the slice comes from.
        manifest: the slice's.
        origin: its commit.
        errors: runs the slice, and gives the text of what went wrong.
        failing: runs imports, and gives those that fail, each with the text of its exception.

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
        # it is installed, and lacks a library of the system, or fits nothing else that is here
        failed = tuple((m, text) for m, text in tried if found.result.rstrip().endswith(text))
    return replace(place, failed_imports=failed)


def provision_verbose(
    repository: Repository,
    manifest: Manifest,
    origin: Origin,
    errors: Callable[[Profile], str],
    tell: Callable[[str], None],
    failing: FailingImports = lambda _profile, _imports: (),
) -> Provision:
    """The same; people are told before, and how to do without it where nothing can be installed.

    Raises:
        InstallError: as above.
    """
    if manifest.requirements:
        tell(f"installing {', '.join(manifest.requirements)}")
    try:
        return provision(repository, manifest, origin, errors, failing)
    except InstallError as error:
        advice = "--no-install runs it with the interpreter at hand"
        raise InstallError(f"{error} ({advice})") from error


def install_ahead(repository: Repository, manifest: Manifest, origin: Origin) -> None:
    """Install what `provision` will ask for first, so that it finds it there.

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
) -> Provided:
    """What can be had of the requirements as of the slice's commit, in an environment.

    Args:
        repository: where the slice comes from.
        manifest: the slice's.
        origin: its commit.
        requirements: what is asked for.
        undated: distributions that may be younger.
        pins: what is installed in another environment, and has the same version in this one.

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
) -> Provided:
    """What can be had of the requirements for a file of the repository, whatever slice it is in.

    Args:
        repository: where the file is.
        path: of the file.
        origin: the repository's commit.
        requirements: what is asked for.
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
    """The needs of a file of the repository."""
    said = configured_distributions(repository, distributions)
    return RequiredDistributions(repository, (), build_folders(repository, path), said)


def needs_for(repository: Repository, manifest: Manifest) -> RequiredDistributions:
    """The needs of a slice, by what was said of distributions when it was made."""
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
    """Top-level names of the slice's own imports that have failed in its last run, and how."""
    asked = {external.module.partition(".")[0] for external in manifest.externals} - STDLIB
    failed = {
        top: found[0]
        for found in _FAILED_IMPORT.finditer(error)
        if (top := (found[1] or found[2]).partition(".")[0]) in asked
    }
    return tuple(sorted(failed.items()))


def _imports_of(manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Top-level names of what the slice imports from outside, each with an import of its own."""
    for external in manifest.externals:
        top = external.module.partition(".")[0]
        if external.treatment == "real" and top not in STDLIB:
            names = [name for name in external.names if name.isidentifier()]
            yield top, f"import {external.module}"
            if names:
                yield top, f"from {external.module} import {', '.join(names)}"


def _fakes(manifest: Manifest) -> tuple[str, ...]:
    """Distributions that the slice needs for its mocks only."""
    texts = (text for each in manifest.mocks for text in each.requirements)
    return tuple(sorted({found.name for text in texts if (found := parse_requirement(text))}))


def _provision(
    asked: Sequence[str], provided: Provided, additions: Sequence[Addition], notes: Sequence[str]
) -> Provision:
    return Provision(
        profile=profile_in(provided.environment),
        requirements=(*asked, *(each.requirement for each in additions if each.is_installed)),
        lock=provided.environment.lock,
        problems=provided.problems,
        additions=tuple(additions),
        notes=(*notes, *provided.notes),
    )


def _pin(requirement: Requirement) -> str:
    """As constraints are written: without extras."""
    return str(replace(requirement, extras=()))


def _python(specifier: str, cache: Path) -> tuple[Path, tuple[str, ...]]:
    """An interpreter that the repository allows; ours where there is none, and then a note."""
    own = Path(sys.executable)
    found = find_python(specifier, cache, own) if specifier else own
    if found is None:
        return own, (f"no Python {specifier} is installed here: it runs with {own.name}",)
    return found, () if found == own else (f"it runs with {found}",)


def format_problem(problem: Problem) -> str:
    """What people should be told of a requirement that cannot be had."""
    ending = "in another version" if problem.is_relaxed else "not installed"
    return f"{problem.requirement}: {ending}: {problem.code}: {problem.detail}"
