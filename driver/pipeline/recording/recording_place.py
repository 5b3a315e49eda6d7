"""The place where a repository's tests run: files beside them, and installed packages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING

from ....slicer.errors import SourceError
from ....slicer.packaging.declared_requirements import build_folders, declared_in
from ....slicer.packaging.generated_files import built_files
from ....slicer.repo.file_tree import join
from ....slicer.repo.import_roots import package_root
from ....slicer.syntax.requirement import normal
from ....verifier.evidence.recordings.relevant_tests import is_test
from ....verifier.execution.environments import missing_distribution
from ....verifier.execution.executors.interface import Profile
from ....verifier.search.strategies.recorded_test_calls import copied
from ...places.repository_origin import origin_of
from ...places.script_environment import needs_for_path, provided_for_path
from .recording_cache import digest_of

if TYPE_CHECKING:
    from ....slicer import Repository

_RUNNER = "pytest"
"""The test runner. It may be younger than the commit, to support the interpreter."""
_NOT_NEEDED = frozenset("pytest-cov pytest-xdist pytest-randomly pytest-sugar".split())
_IMPORT = re.compile(
    rb"^(?:import[ \t]+([\w.]+(?:[ \t]*,[ \t]*[\w.]+)*)|from[ \t]+(\w[\w.]*)[ \t]+import\b)", re.M
)
_NO_CODE = re.compile(
    rb'''#[^\n]*|"""(?:[^\\"]|\\.|"(?!""))*+"""|"(?:[^"\\\n]|\\.)*+"'''
    rb"""|'''(?:[^\\']|\\.|'(?!''))*+'''|'(?:[^'\\\n]|\\.)*+'""",
    re.DOTALL,
)
"""Comments and strings, because a string in a test may look like an import."""
_SIGNATURE = re.compile(rb"\bdef[ \t]+\w+[ \t]*\(([^()]*)")
_WORD = re.compile(rb"\w+")
_MOST_READ = 400
"""Maximum number of files whose imports are read, those of tests first."""
_MOST_NOTED = 400
"""Maximum number of files that record in full; in a larger repository, only a target's do."""


_LOADED_FIRST = frozenset({"pytest11"})
"""Groups whose entry points a test runner loads before any test, and fails if one of them fails."""


@dataclass(frozen=True)
class RecordingPlace:
    """The repository as its tests see it."""

    repository: Repository
    installs: bool
    """Whether the tests' imports are installed, or the current interpreter has them."""
    distributions: tuple[tuple[str, str], ...] = ()
    """Modules, each with the requirement that provides it."""
    _profiles: dict[tuple[str, ...], Profile] = field(default_factory=dict)

    @cached_property
    def files(self) -> tuple[str, ...]:
        """All Python files."""
        return tuple(self.repository.python_files())

    @cached_property
    def non_test_files(self) -> tuple[str, ...]:
        """All files that are not tests; empty if there are too many."""
        found = tuple(path for path in self.files if not is_test(path))
        return found if len(found) <= _MOST_NOTED else ()

    def data(self, path: str) -> bytes:
        """Return the content of a file; empty if it cannot be read."""
        try:
            return self.repository.read_data(path)
        except SourceError:
            return b""

    @cached_property
    def digest(self) -> str:
        """One digest of all files that the tests can read."""
        return digest_of(copied(self.repository))

    def generated_files(self, path: str, root: str) -> Iterator[tuple[str, bytes]]:
        """Yield the files that installing or building the repository generates, for a test."""
        return built_files(self.repository, path, root, _LOADED_FIRST)

    @cached_property
    def package_roots(self) -> tuple[str, ...]:
        """Folders with packages, those with the most files first."""
        counts: dict[str, int] = {}
        for path in self.files:
            folder = path.rpartition("/")[0]
            if not is_test(path) and self.repository.is_file(f"{folder}/__init__.py".lstrip("/")):
                root = package_root(self.repository, path)
                counts[root] = counts.get(root, 0) + 1
        return tuple(sorted(counts, key=lambda root: (-counts[root], root)))

    def profile(self, path: str, missing: Sequence[str] = ()) -> Profile:
        """Return the interpreter of the tests.

        Args:
            path: a file of the repository.
            missing: requirements that earlier runs needed.

        Raises:
            InstallError: nothing can be installed.
        """
        if not self.installs:
            return Profile()
        key = (path.rpartition("/")[0], *missing)
        if key not in self._profiles:
            self._profiles[key] = self._installed(path, missing)
        return self._profiles[key]

    def missing_requirement(self, path: str, error: str) -> str | None:
        """Return the requirement that a test's error shows to be missing; `None` without one."""
        found = missing_distribution(error, partial(self._requirement_of, path))
        return found[0] if found and self.installs else None

    def _requirement_of(self, path: str, module: str) -> str | None:
        if self._is_own(module):
            return None
        needs = needs_for_path(self.repository, path, self.distributions)
        found = needs.requirement_of(module)
        return str(found) if found else None

    def _installed(self, path: str, missing: Sequence[str]) -> Profile:
        wanted = tuple(dict.fromkeys((*self.requirements(path), *missing)))
        provided = provided_for_path(
            self.repository,
            path,
            origin_of(self.repository.path),
            wanted,
            self.distributions,
            (_RUNNER,),
        )
        return Profile(python=provided.environment.python)

    def requirements(self, path: str) -> Iterator[str]:
        """Yield the requirements of a test and of the repository's packages."""
        yield _RUNNER
        for folder in build_folders(self.repository, path):
            for declared in declared_in(self.repository, folder):
                name = normal(declared.name)
                is_plugin = name.startswith("pytest-") or self._is_fixture(name)
                if is_plugin and name not in _NOT_NEEDED and not self._is_own(name):
                    yield str(declared)
        needs = needs_for_path(self.repository, path, self.distributions)
        for module in self._imported:
            requirement = needs.requirement_of(module)
            if requirement is not None and normal(requirement.name) != _RUNNER:
                yield str(requirement)

    def _is_fixture(self, distribution: str) -> bool:
        """Whether tests take an argument of that name, perhaps a fixture of the distribution."""
        return distribution.replace("-", "_").encode() in self._parameters_of_tests

    @cached_property
    def _parameters_of_tests(self) -> frozenset[bytes]:
        texts = (self.data(path) for path in self.files if is_test(path))
        taken = (parameters for text in texts for parameters in _SIGNATURE.findall(text))
        return frozenset(word for parameters in taken for word in _WORD.findall(parameters))

    @cached_property
    def _imported(self) -> tuple[str, ...]:
        """External modules that are imported when any file is loaded, sorted."""
        tests = [path for path in self.files if is_test(path)]
        packages = [path for path in self.files if self._is_of_package(path)]
        todo = list(dict.fromkeys((*tests, *packages[:_MOST_READ])))
        found, read = set[str](), set(todo)
        while todo:
            imported = set(self._imports(todo.pop()))
            found |= {each for each in imported if not self._is_own(each)}
            alone = {path for each in imported for path in self._modules_alone(each)} - read
            read |= alone
            todo += sorted(alone)
        return tuple(sorted(found))

    def _imports(self, path: str) -> Iterator[str]:
        """Yield the modules that a file imports when it is loaded."""
        for several, one in _IMPORT.findall(_NO_CODE.sub(b"''", self.data(path))):
            names = (*several.split(b","), one)
            yield from filter(None, (each.strip().decode("ascii", "ignore") for each in names))

    def _modules_alone(self, module: str) -> Iterator[str]:
        """Yield files outside packages that a module name may mean."""
        for root in ("", *self.package_roots):
            path = join(root, f"{module.partition('.')[0]}.py")
            if self.repository.is_file(path):
                yield path

    def _is_of_package(self, path: str) -> bool:
        root, _, name = path.rpartition("/")
        return not is_test(path) and (
            name == "conftest.py" or self.repository.is_file(f"{root}/__init__.py".lstrip("/"))
        )

    def _is_own(self, module: str) -> bool:
        """Whether the tests find the module in the repository."""
        top = module.partition(".")[0]
        return top in self._own_tops

    @cached_property
    def _own_tops(self) -> frozenset[str]:
        """Names by which the repository's files and folders may be imported."""
        roots = {"", *self.package_roots}
        for path in self.files:
            roots |= {path.rpartition("/")[0]} if is_test(path) else set()
        names = (name for root in roots for name in self.repository.listing(root))
        return frozenset(
            name.removesuffix("/").removesuffix(".py")
            for name in names
            if name.endswith(("/", ".py"))
        )
