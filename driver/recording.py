"""Recording: what the repository's own tests, docstrings and programs give to its functions.

They run in the sandbox, on a copy of the repository, in pieces that are kept on disk. A piece that
does not run is a row with its reason, like all others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from ..slicer.declarations import build_folders, declared_in
from ..slicer.errors import SourceError
from ..slicer.file_tree import join
from ..slicer.import_roots import package_root
from ..slicer.own_metadata import own_distributions
from ..slicer.requirement import normal
from ..verifier.environments import InstallError
from ..verifier.errors import SandboxError
from ..verifier.evidence.recorded_calls import Evidence, RecordedCall, recorded_calls
from ..verifier.executors.interface import Profile, Suite
from ..verifier.scoring.recording import STILL
from ..verifier.search.called import copied, is_test, job_of, likeliest_tests, search_words
from .origin import origin_of
from .provision import needs_for_path, provided_for_path
from .recording_cache import Piece, Row, RowCache, digest_of, is_marked, mark

if TYPE_CHECKING:
    from ..slicer import Repository
    from ..slicer.model import Target
    from ..verifier.executors.choose import Choice
    from ..verifier.executors.interface import Job, Outcome

_NOT_NEEDED = frozenset("pytest-cov pytest-xdist pytest-randomly pytest-sugar".split())
_IMPORT = re.compile(
    rb"^(?:import[ \t]+([\w.]+(?:[ \t]*,[ \t]*[\w.]+)*)|from[ \t]+(\w[\w.]*)[ \t]+import\b)", re.M
)
_VERSION_FILE = re.compile(rb"""(?:write_to|version[-_]file)["']?\s*[=:]\s*["']([\w./-]+)["']""")
_VERSION = b"__version__ = version = '0'\n__version_tuple__ = version_tuple = (0,)\n"
_EXAMPLE = re.compile(r"(?:^|/)(?:examples?|demos?)/[^/]*\.py\Z")
_MOST_PROGRAMS = 20
_SECONDS = 8.0
"""Of processor time, for a piece of the whole repository."""
_MOST_SECONDS = 600.0
"""Of processor time, for all of them."""
_MOST_READ = 400
"""Files whose imports are read, those of tests first."""
_MOST_NOTED = 400
"""Files in which all functions note what they are given; in a larger repository a target's do."""


@lru_cache(maxsize=2)
def recording_of(
    repository: Repository,
    choice: Choice,
    *,
    installs: bool = True,
    distributions: tuple[tuple[str, str], ...] = (),
) -> Recording:
    """The recording of a repository, which all of its targets share."""
    return Recording(repository, choice, installs, distributions)


@dataclass(frozen=True)
class Recording:
    """The calls that a repository's own code makes, run piece by piece when they are asked for."""

    repository: Repository
    choice: Choice
    installs: bool
    """Whether what the tests import is installed for them; else the interpreter at hand has it."""
    distributions: tuple[tuple[str, str], ...] = ()
    """Modules, each with the requirement that provides it."""
    _rows: dict[Piece, Row] = field(default_factory=dict[Piece, Row])
    _profiles: dict[str, Profile] = field(default_factory=dict[str, Profile])

    def evidence(self, target: Target, near: Sequence[str] = ()) -> Evidence:
        """The calls of one function.

        Where all pieces were run they are those of all tests; else of those that are likeliest to
        make some.

        Args:
            target: the function.
            near: files with the classes that it is given.
        """
        key = (target.path, target.qualname)
        if self._is_whole:
            return Evidence(self._by_function.get(key, ()), "repository")
        rows = [self.row(piece) for piece in self._pieces_of(target, near)]
        return Evidence(_by_function(rows).get(key, ()))

    def calls(self, target: Target) -> tuple[RecordedCall, ...]:
        """The same, without where they come from."""
        return self.evidence(target).calls

    def row(self, piece: Piece) -> Row:
        """What came of a piece, which runs if nobody has run it before."""
        found = self._rows.get(piece)
        if found is None:
            found = self._rows[piece] = self._made(piece)
        return found

    # ------------------------------------------------------------------------------- all pieces

    def run_all(self) -> None:
        """Run every piece, together with other processes that do the same.

        Once they have taken a certain time together the others are left out, and their rows say so.
        """
        left = [piece for piece in self._pieces if piece not in self._rows]
        while left:
            before = len(left)
            for piece in left:
                self._run_in_turn(piece, waits=False)
            left = [piece for piece in left if piece not in self._rows]
            if left and len(left) == before:
                self._run_in_turn(left[0], waits=True)
                left = left[1:]
        if self._pieces:
            mark(self._digest)

    def failures(self) -> tuple[str, ...]:
        """The pieces that did not come to their end, each with the reason."""
        rows = ((piece, self._rows[piece].failure) for piece in self._pieces if piece in self._rows)
        return tuple(f"{' '.join(piece.files)}: {why}" for piece, why in rows if why)

    def _run_in_turn(self, piece: Piece, *, waits: bool) -> None:
        spent = sum(row.cpu_seconds for row in self._rows.values())
        if spent > _MOST_SECONDS:
            why = f"the pieces before it have taken {_MOST_SECONDS} seconds of the processor"
            self._rows[piece] = Row((), why, is_ours=True)
            return
        try:
            with self._cache(piece).turn(piece, waits=waits) as is_mine:
                if is_mine:
                    self.row(piece)
        except InstallError as error:
            self._rows[piece] = _not_installed(error)

    @property
    def _is_whole(self) -> bool:
        """Whether all pieces were run, by whichever process; asked again until they were."""
        if not self._pieces or not is_marked(self._digest):
            return not self._pieces
        for piece in self._pieces:
            if piece not in self._rows:
                try:
                    found = self._cache(piece).find(piece)
                except InstallError as error:
                    found = _not_installed(error)
                self._rows[piece] = found or Row((), "left out", is_ours=True)
        return True

    @cached_property
    def _by_function(self) -> dict[tuple[str, str], tuple[RecordedCall, ...]]:
        return _by_function([self._rows[piece] for piece in self._pieces])

    @cached_property
    def _pieces(self) -> tuple[Piece, ...]:
        """Of the whole repository."""
        tests = [Piece("tests", (path,), "", self._noted) for path in self._files if is_test(path)]
        documented = [path for path in self._noted if b">>>" in self._data(path)]
        modules = [(self.repository.module_name(path), path) for path in documented]
        doctests = [Piece("doctests", (name,), "", self._noted, path) for name, path in modules]
        examples = [path for path in self._files if _EXAMPLE.search(path)][:_MOST_PROGRAMS]
        programs = [Piece("program", (path,), "", self._noted) for path in examples]
        return (*tests, *doctests, *programs) if self._noted else ()

    # ------------------------------------------------------------------------------- pieces

    def _pieces_of(self, target: Target, near: Sequence[str]) -> Iterator[Piece]:
        noted = self._noted or tuple(dict.fromkeys((target.path, *near)))
        tests = likeliest_tests(self.repository, target.path, target.qualname)
        if tests:
            yield Piece("tests", tests, str(target), noted)
        if b">>>" in self._data(target.path):
            module = self.repository.module_name(target.path)
            yield Piece("doctests", (module,), str(target), noted)

    @cached_property
    def _files(self) -> tuple[str, ...]:
        return tuple(self.repository.python_files())

    @cached_property
    def _noted(self) -> tuple[str, ...]:
        """All files that are no tests; none where there are too many."""
        found = tuple(path for path in self._files if not is_test(path))
        return found if len(found) <= _MOST_NOTED else ()

    def _data(self, path: str) -> bytes:
        try:
            return self.repository.read_data(path)
        except SourceError:
            return b""

    # ------------------------------------------------------------------------------- runs

    def _made(self, piece: Piece) -> Row:
        try:
            profile = self._profile(piece.file)
            cache = self._cache(piece)
        except InstallError as error:
            return _not_installed(error)
        found = cache.find(piece)
        if found is None:
            found = self._run(piece, profile)
            if not found.is_ours:
                cache.keep(piece, found)
        return found

    def _cache(self, piece: Piece) -> RowCache:
        """Where its row is kept.

        Raises:
            InstallError: nothing can be installed.
        """
        return RowCache(self._digest, self._profile(piece.file))

    def _run(self, piece: Piece, profile: Profile) -> Row:
        executor = self.choice.make()
        try:
            executor.start(profile)
            outcome = executor.run(self._job(piece))
        except SandboxError as error:
            return Row((), str(error), is_ours=True)
        finally:
            executor.close()
        return _row(outcome)

    def _job(self, piece: Piece) -> Job:
        path, _, qualname = piece.target.partition("::")
        words = callers = ()
        if qualname:
            words, callers = search_words(self.repository, qualname)
        suite = Suite(
            self._roots(piece), piece.files, path, qualname, piece.noted, piece.how, words, callers
        )
        if not qualname:
            suite = replace(suite, cpu_seconds=_SECONDS, idle_seconds=_SECONDS, most_tests=2000)
        job = job_of(self.repository, suite, STILL)
        made = (*self._metadata(piece.file, suite.roots[0]), *self._built(piece.file))
        return replace(job, files=(*job.files, *made))

    @cached_property
    def _digest(self) -> str:
        return digest_of(copied(self.repository))

    def _metadata(self, path: str, root: str) -> Iterator[tuple[str, bytes]]:
        """What an installer would have written of the repository's own distribution."""
        for name in sorted(own_distributions(self.repository, path)):
            folder = f"{root}/{name.replace('-', '_')}-0.dist-info".lstrip("/")
            yield (
                f"{folder}/METADATA",
                f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n".encode(),
            )

    def _built(self, path: str) -> Iterator[tuple[str, bytes]]:
        """Modules with the version that the build would have written where its files say."""
        for folder in build_folders(self.repository, path):
            for name in ("pyproject.toml", "setup.cfg", "setup.py"):
                for said in _VERSION_FILE.findall(self._data(join(folder, name))):
                    place = join(folder, said.decode("utf-8", "replace"))
                    if place.endswith(".py") and not self.repository.is_file(place):
                        yield place, _VERSION

    # ------------------------------------------------------------------------------- places

    def _roots(self, piece: Piece) -> tuple[str, ...]:
        """Folders from which modules are imported: of the target, of packages, of the tests."""
        found: dict[str, None] = {}
        path = piece.target.partition("::")[0] or piece.module_path
        if path:
            name = self.repository.module_name(path)
            parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
            found["/".join(parts[: len(parts) - len(name.split("."))])] = None
        found.update(dict.fromkeys(self._package_roots))
        found[""] = None
        return tuple(found)

    @cached_property
    def _package_roots(self) -> tuple[str, ...]:
        """Folders with packages, and those of them that hold the most first."""
        counts: dict[str, int] = {}
        for path in self._files:
            folder = path.rpartition("/")[0]
            if not is_test(path) and self.repository.is_file(f"{folder}/__init__.py".lstrip("/")):
                root = package_root(self.repository, path)
                counts[root] = counts.get(root, 0) + 1
        return tuple(sorted(counts, key=lambda root: (-counts[root], root)))

    def _profile(self, path: str) -> Profile:
        """The interpreter of the tests.

        Raises:
            InstallError: nothing can be installed.
        """
        if not self.installs:
            return Profile()
        folder = path.rpartition("/")[0]
        if folder not in self._profiles:
            self._profiles[folder] = self._installed(path)
        return self._profiles[folder]

    def _installed(self, path: str) -> Profile:
        wanted = tuple(dict.fromkeys(self.requirements(path)))
        provided = provided_for_path(
            self.repository, path, origin_of(self.repository.path), wanted, self.distributions
        )
        return Profile(python=provided.environment.python)

    def requirements(self, path: str) -> Iterator[str]:
        """What a test, and the packages of the repository, need installed."""
        yield "pytest"
        for folder in build_folders(self.repository, path):
            for declared in declared_in(self.repository, folder):
                name = normal(declared.name)
                if name.startswith("pytest-") and name not in _NOT_NEEDED:
                    yield str(declared)
        needs = needs_for_path(self.repository, path, self.distributions)
        for module in self._imported:
            distribution = needs.distribution(module)
            requirement = needs.requirement(distribution) if distribution else None
            if requirement is not None and normal(requirement.name) != "pytest":
                yield str(requirement)

    @cached_property
    def _imported(self) -> tuple[str, ...]:
        """Modules from elsewhere that are imported wherever a file is loaded, sorted."""
        tests = [path for path in self._files if is_test(path)]
        packages = [path for path in self._files if self._is_of_package(path)]
        found: set[str] = set()
        for path in dict.fromkeys((*tests, *packages[:_MOST_READ])):
            for several, one in _IMPORT.findall(self._data(path)):
                found.update(each.strip().decode("ascii", "ignore") for each in several.split(b","))
                found.add(one.decode("ascii", "ignore"))
        return tuple(sorted(each for each in found if each and not self._is_own(each)))

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
        roots = {"", *self._package_roots}
        for path in self._files:
            roots |= {path.rpartition("/")[0]} if is_test(path) else set()
        names = (name for root in roots for name in self.repository.listing(root))
        return frozenset(
            name.removesuffix("/").removesuffix(".py")
            for name in names
            if name.endswith(("/", ".py"))
        )


def _by_function(rows: Iterable[Row]) -> dict[tuple[str, str], tuple[RecordedCall, ...]]:
    """Path and qualified name → the calls of that function, each once."""
    found: dict[tuple[str, str], dict[RecordedCall, RecordedCall]] = {}
    for row in rows:
        for call in recorded_calls(row.records):
            of_function = found.setdefault((call.path, call.qualname), {})
            of_function.setdefault(replace(call, test=""), call)
    return {key: tuple(calls.values()) for key, calls in found.items()}


def _not_installed(error: InstallError) -> Row:
    return Row((), f"nothing can be installed for it: {error}", is_ours=True)


def _row(outcome: Outcome) -> Row:
    """What a run tells of itself."""
    if outcome.end == "infrastructure":
        return Row((), outcome.detail, is_ours=True)
    ended = any('"kind":"end"' in record for record in outcome.records[-1:])
    failure = "" if ended else f"it was cut off: {outcome.end}"
    return Row(outcome.records, failure, round(outcome.cpu_seconds, 2))
