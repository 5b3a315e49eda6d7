"""Record the calls of functions that the repository's own tests, docstrings and programs make.

They run in the sandbox, on a copy of the repository, in pieces that are kept on disk. A piece that
does not run is a row with its reason, like all others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from ....verifier.errors import SandboxError
from ....verifier.evidence.recordings.recorded_calls import Evidence, RecordedCall, recorded_calls
from ....verifier.evidence.recordings.relevant_tests import (
    is_test,
    relevant_test_files,
    search_words,
)
from ....verifier.execution.environments import REPAIRS, InstallError
from ....verifier.execution.executors.interface import Profile, Suite
from ....verifier.scoring.oracle.oracle_recording import STILL
from ....verifier.search.strategies.recorded_test_calls import job_of
from .recording_cache import Piece, Row, RowCache
from .recording_place import RecordingPlace

if TYPE_CHECKING:
    from ....slicer import Repository
    from ....slicer.model import Target
    from ....verifier.execution.executors.choose_executor import Choice
    from ....verifier.execution.executors.interface import Job, Outcome

_EXAMPLE = re.compile(r"(?:^|/)(?:examples?|demos?)/[^/]*\.py\Z")
_MOST_PROGRAMS = 20
_MOST_NAMED = 3
"""Number of files that a line lists before it counts the others."""
_LONGEST_ERROR = 200
"""Maximum number of characters of an error's last line."""
_SECONDS = 8.0
"""Limit in seconds of processor time for one piece of the whole repository."""
_MOST_SECONDS = 600.0
"""Limit in seconds of processor time for all pieces together."""


@lru_cache(maxsize=2)
def recording_of(
    repository: Repository,
    choice: Choice,
    *,
    installs: bool = True,
    distributions: tuple[tuple[str, str], ...] = (),
) -> Recording:
    """Return the recording of a repository, which all of its targets share."""
    place = RecordingPlace(repository, installs, distributions)
    return Recording(repository, choice, place)


@dataclass(frozen=True)
class Recording:
    """The calls that a repository's own code makes, run piece by piece on demand."""

    repository: Repository
    choice: Choice
    place: RecordingPlace
    _rows: dict[Piece, Row] = field(default_factory=dict[Piece, Row])
    _missing_requirements: dict[Piece, tuple[str, ...]] = field(
        default_factory=dict[Piece, tuple[str, ...]]
    )
    """Piece → the requirements that its runs were missing."""
    _covered: set[Piece] = field(default_factory=set[Piece])
    """Pieces that `run_all` covered. A command counts only the pieces that it runs or reads itself:
    rows that another command left on disk save time, but add no calls."""

    def evidence(self, target: Target, near: Sequence[str] = ()) -> Evidence:
        """Return the calls of one function.

        After `run_all` they come from all tests, otherwise from the likeliest ones.

        Args:
            target: the function.
            near: files with the classes of its arguments.
        """
        key = (target.path, target.qualname)
        if self._is_whole:
            return Evidence(self._by_function.get(key, ()), "repository")
        rows = [self.row(piece) for piece in self._pieces_of(target, near)]
        return Evidence(_by_function(rows).get(key, ()))

    def calls(self, target: Target) -> tuple[RecordedCall, ...]:
        """Return the calls of one function, without their origin."""
        return self.evidence(target).calls

    def summary(self, target: Target, near: Sequence[str] = ()) -> str:
        """Return a line on the number of calls, or why there are none.

        Args:
            target: the function.
            near: files with the classes of its arguments.
        """
        calls = self.evidence(target, near).calls
        count = len(calls)
        if count:
            line = f"{count} call{'s' * (count > 1)} of it in the repository's own tests"
            missing = Counter(name for each in calls for name in each.unwritten)
            gaps = [f"{name} in {number}" for name, number in sorted(missing.items())]
            return f"{line}; not all can be written down: {', '.join(gaps)}" if gaps else line
        why = self._why_none(target, near)
        return (
            f"no call of it was recorded: {why}; so all cases come from the search alone "
            "(--cases FILE adds some)"
        )

    def _why_none(self, target: Target, near: Sequence[str]) -> str:
        likeliest = tuple(self._pieces_of(target, near))
        files = {file for piece in likeliest for file in piece.files}
        run = [each for each in self._pieces if not files.isdisjoint(each.files)]
        rows = [(each, self.row(each)) for each in (run if self._is_whole else likeliest)]
        for piece, row in rows:
            last = row.errors.rstrip().rpartition("\n")[2].strip()[:_LONGEST_ERROR]
            if row.failure or last:
                return f"{' '.join(piece.files[:2])}: {row.failure or last}"
        if not files:
            return "no test of the repository is likely to make one"
        more = f" and {len(files) - _MOST_NAMED} more" if len(files) > _MOST_NAMED else ""
        return f"none is made by {', '.join(sorted(files)[:_MOST_NAMED])}{more}"

    def install(self, target: Target) -> None:
        """Install the requirements of a function's tests, before its own time begins.

        Raises:
            InstallError: nothing can be installed.
        """
        if next(self._pieces_of(target, ()), None) is not None:
            self.place.profile(target.path)

    def row(self, piece: Piece) -> Row:
        """Return the row of a piece, which is run if there is none."""
        found = self._rows.get(piece)
        if found is None:
            found = self._rows[piece] = self._made(piece)
        return found

    # ------------------------------------------------------------------------------- all pieces

    def run_all(self) -> None:
        """Run every piece, together with other processes that do the same.

        Once they have used a certain time together, the remaining pieces are left out, and their
        rows say so.
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
        self._covered.update(self._pieces)

    def failures(self) -> tuple[str, ...]:
        """Return the pieces that did not finish, each with the reason."""
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
        """Whether this recording covers all pieces; other processes may have run them."""
        if not self._covered:
            return False
        for piece in self._pieces:
            if piece not in self._rows:
                self._rows[piece] = self._repaired(piece, self._found)
        return True

    @cached_property
    def _by_function(self) -> dict[tuple[str, str], tuple[RecordedCall, ...]]:
        return _by_function([self._rows[piece] for piece in self._pieces])

    @cached_property
    def _pieces(self) -> tuple[Piece, ...]:
        """The pieces of the whole repository."""
        files, noted = self.place.files, self.place.non_test_files
        tests = [Piece("tests", (path,), "", noted) for path in files if is_test(path)]
        documented = [path for path in noted if b">>>" in self.place.data(path)]
        modules = [(self.repository.module_name(path), path) for path in documented]
        doctests = [Piece("doctests", (name,), "", noted, path) for name, path in modules]
        examples = [path for path in files if _EXAMPLE.search(path)][:_MOST_PROGRAMS]
        programs = [Piece("program", (path,), "", noted) for path in examples]
        return (*tests, *doctests, *programs) if noted else ()

    # ------------------------------------------------------------------------------- pieces

    def _pieces_of(self, target: Target, near: Sequence[str]) -> Iterator[Piece]:
        noted = self.place.non_test_files or tuple(dict.fromkeys((target.path, *near)))
        tests = relevant_test_files(self.repository, target.path, target.qualname)
        if tests:
            yield Piece("tests", tests, str(target), noted)
        if b">>>" in self.place.data(target.path):
            module = self.repository.module_name(target.path)
            yield Piece("doctests", (module,), str(target), noted)

    # ------------------------------------------------------------------------------- runs

    def _made(self, piece: Piece) -> Row:
        """Run a piece, or find its row; install missing requirements, and run it again."""
        return self._repaired(piece, self._found_or_run)

    def _repaired(self, piece: Piece, make: Callable[[Piece], Row]) -> Row:
        """Make a row; while its errors name a missing requirement, add that and make it again."""
        try:
            row = make(piece)
            for _ in range(REPAIRS):
                wanted = self.place.missing_requirement(piece.file, row.errors)
                missing = self._missing_requirements.get(piece, ())
                if wanted is None or wanted in missing:
                    break
                self._missing_requirements[piece] = (*missing, wanted)
                row = make(piece)
        except InstallError as error:
            return _not_installed(error)
        return row

    def _found_or_run(self, piece: Piece) -> Row:
        cache = self._cache(piece)
        found = cache.find(piece)
        if found is None:
            found = self._run(piece)
            if not found.is_ours:
                cache.keep(piece, found)
        return found

    def _found(self, piece: Piece) -> Row:
        return self._cache(piece).find(piece) or Row((), "left out", is_ours=True)

    def _cache(self, piece: Piece) -> RowCache:
        """Return the cache of its row.

        Raises:
            InstallError: nothing can be installed.
        """
        return RowCache(self.place.digest, self._profile(piece))

    def _profile(self, piece: Piece) -> Profile:
        return self.place.profile(piece.file, self._missing_requirements.get(piece, ()))

    def _run(self, piece: Piece) -> Row:
        executor = self.choice.make()
        try:
            executor.start(self._profile(piece))
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
        made = self.place.generated_files(piece.file, suite.roots[0])
        return replace(job, files=(*job.files, *made))

    def _roots(self, piece: Piece) -> tuple[str, ...]:
        """Return the import roots: of the target, of packages, of the tests."""
        found: dict[str, None] = {}
        path = piece.target.partition("::")[0] or piece.module_path
        if path:
            name = self.repository.module_name(path)
            parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
            found["/".join(parts[: len(parts) - len(name.split("."))])] = None
        found.update(dict.fromkeys(self.place.package_roots))
        found[""] = None
        return tuple(found)


def _by_function(rows: Iterable[Row]) -> dict[tuple[str, str], tuple[RecordedCall, ...]]:
    """Return path and qualified name → the distinct calls of that function."""
    found: dict[tuple[str, str], dict[RecordedCall, RecordedCall]] = {}
    for row in rows:
        for call in recorded_calls(row.records):
            of_function = found.setdefault((call.path, call.qualname), {})
            of_function.setdefault(replace(call, test=""), call)
    return {key: tuple(calls.values()) for key, calls in found.items()}


def _not_installed(error: InstallError) -> Row:
    return Row((), f"nothing can be installed for it: {error}", is_ours=True)


def _row(outcome: Outcome) -> Row:
    """Return the row for a run's outcome."""
    if outcome.end == "infrastructure":
        return Row((), outcome.detail, is_ours=True)
    ended = any('"kind":"end"' in record for record in outcome.records[-1:])
    failure = "" if ended else f"it was cut off: {outcome.end}"
    last_line = outcome.stderr.decode(errors="replace").strip().rpartition("\n")[2][:_LONGEST_ERROR]
    if failure and last_line:
        failure += f": {last_line}"
    return Row(outcome.records, failure, round(outcome.cpu_seconds, 2))
