"""Where tests of a repository run, and what they give to a target: a source of drafts."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..slicer.declarations import build_folders, declared_in
from ..slicer.errors import SourceError
from ..slicer.requirement import normal
from ..verifier.environments import InstallError
from ..verifier.errors import SandboxError
from ..verifier.inputs.pools import inputs_of
from ..verifier.scoring.recording import STILL
from ..verifier.search.called import called, job_of, suite_of
from .provision import needs_for, provided_for

if TYPE_CHECKING:
    from ..slicer import Repository
    from ..slicer.model import Slice
    from ..slicer.requirements import Needs
    from ..verifier.executors.choose import Choice
    from ..verifier.executors.interface import Profile, Suite
    from ..verifier.search.drafts import Draft
    from .origin import Origin
    from .provision import Provision

_NOT_NEEDED = frozenset("pytest-cov pytest-xdist pytest-randomly pytest-sugar".split())
_MOST_FILES = 80
"""Of a package, whose imports are read."""


@dataclass(frozen=True, slots=True)
class OwnTests:
    """The tests of a repository that may call a slice's target."""

    repository: Repository
    sliced: Slice
    origin: Origin
    place: Provision
    """Where the slice runs."""
    choice: Choice
    installs: bool
    """Whether what the tests import is installed for them; else they run where the slice does."""

    def calls(self) -> tuple[Draft, ...]:
        """The calls that they make, as drafts; none where they do not run."""
        suite = suite_of(self.repository, self.sliced)
        inputs = inputs_of(self.repository, self.sliced) if suite else None
        if suite is None or inputs is None:
            return ()
        executor = self.choice.make()
        try:
            executor.start(self._profile(suite))
            outcome = executor.run(job_of(self.repository, suite, STILL))
        except (SandboxError, InstallError):
            return ()
        finally:
            executor.close()
        return called(outcome, self.repository, self.sliced, inputs)

    def _profile(self, suite: Suite) -> Profile:
        """The interpreter of the tests."""
        if not self.installs:
            return self.place.profile
        needs = needs_for(self.repository, self.sliced.manifest)
        wanted = dict.fromkeys(
            (*self.place.requirements, *requirements(self.repository, needs, suite))
        )
        provided = provided_for(self.repository, self.sliced.manifest, self.origin, tuple(wanted))
        return replace(self.place.profile, python=provided.environment.python)


def requirements(repository: Repository, needs: Needs, suite: Suite) -> Iterator[str]:
    """What the tests, and the package that they import, need installed."""
    yield "pytest"
    for folder in build_folders(repository):
        for declared in declared_in(repository, folder):
            name = normal(declared.name)
            if name.startswith("pytest-") and name not in _NOT_NEEDED:
                yield str(declared)
    found: set[str] = set()
    for path in _read_files(repository, suite):
        found.update(imported_modules(repository, path))
    for module in sorted(each for each in found if not _is_own(repository, suite, each)):
        distribution = needs.distribution(module)
        requirement = needs.requirement(distribution) if distribution else None
        if requirement is not None and normal(requirement.name) != "pytest":
            yield str(requirement)


def _is_own(repository: Repository, suite: Suite, module: str) -> bool:
    """Whether the tests find the module in the repository."""
    top = module.partition(".")[0]
    places = [f"{root}/{top}".lstrip("/") for root in suite.roots]
    places += [f"{test.rpartition('/')[0]}/{top}".lstrip("/") for test in suite.tests]
    return any(repository.is_folder(each) or repository.is_file(f"{each}.py") for each in places)


def _read_files(repository: Repository, suite: Suite) -> Iterator[str]:
    """The tests, what is configured above them, and the package of the target."""
    yield from suite.tests
    for test in suite.tests:
        folders = test.split("/")[:-1]
        for depth in range(len(folders) + 1):
            conftest = "/".join((*folders[:depth], "conftest.py"))
            if repository.is_file(conftest):
                yield conftest
    root, own = suite.roots[0], suite.target_file
    package = own[len(root) :].strip("/").partition("/")[0]
    prefix = f"{root}/{package}".strip("/")
    files = [path for path in repository.python_files() if path.startswith(f"{prefix}/")]
    yield from files[:_MOST_FILES]


def imported_modules(repository: Repository, path: str) -> Iterator[str]:
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
