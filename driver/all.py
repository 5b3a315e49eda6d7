"""`--all`: slice every function of a repository, and count what became of each.

An expected failure is an entry with its reason; the run goes on. With an output folder the scripts
are kept under `slices/`, and `results.jsonl` takes one line for each function as it is done, from
which a run that was stopped goes on.
"""

from __future__ import annotations

import signal
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..slicer import Repository
from ..slicer.errors import SliceFuncError
from .compile import Options, compile_slice
from .console import say
from .files import OutputError, require_empty, write_file, write_tree
from .journal import Journal, fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..slicer.model import Slice, Target

SECONDS_BETWEEN_LINES = 5
"""How often progress is told."""
CHUNK = 8
"""Functions that a worker takes at a time: neighbours share parsed files."""


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """What a whole-repository run is asked to do."""

    repository: str
    roots: tuple[str, ...]
    options: Options
    folder: str | None
    """Where scripts and results are kept; `None` keeps nothing."""
    resume: bool
    jobs: int
    limit: int | None


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a function has no slice."""

    code: str
    path: str
    line: int | None
    hint: str


@dataclass(frozen=True, slots=True)
class Entry:
    """What became of one function."""

    path: str
    qualname: str
    sliced: bool
    layout: str | None
    output: str | None
    """File or folder of the slice, inside the output folder."""
    lines: int
    definitions: int
    gaps: dict[str, int]
    """Number of gaps by kind."""
    reasons: tuple[Reason, ...]
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """The entry as plain JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> Entry:
        """The entry that `to_json` wrote.

        Raises:
            TypeError: the row is not of this form.
        """
        reasons = tuple(Reason(**reason) for reason in row.pop("reasons"))
        return cls(**row, reasons=reasons)


@dataclass(frozen=True, slots=True)
class Summary:
    """What became of all functions."""

    entries: tuple[Entry, ...]
    left_out: tuple[str, ...]
    """Files that cannot be read or parsed, each with the reason; they hold no functions for us."""

    def to_json(self) -> dict[str, Any]:
        """The whole-repository report; keys of later checks are absent until they work."""
        return {
            "functions": len(self.entries),
            "sliced": sum(entry.sliced for entry in self.entries),
            "reasons": dict(sorted(self.reasons().items())),
            "left_out": list(self.left_out),
            "entries": [entry.to_json() for entry in self.entries],
        }

    def reasons(self) -> Counter[str]:
        """How many functions were not sliced, by reason code."""
        return Counter(reason.code for entry in self.entries for reason in entry.reasons)


def summary_lines(summary: Summary) -> Iterator[str]:
    """The report for people."""
    record = summary.to_json()
    yield f"{record['functions']:>7} functions"
    yield f"{record['sliced']:>7} sliced"
    for code, count in record["reasons"].items():
        yield f"{count:>7} not sliced: {code}"
    for entry in summary.entries:
        for reason in entry.reasons:
            yield f"{entry.path}::{entry.qualname}: {reason.code}: {reason.hint}"
    for reason in summary.left_out:
        yield f"file left out: {reason}"


def run_all(batch: BatchOptions) -> Summary:
    """Slice every function of the repository.

    Raises:
        SliceFuncError: the repository or the output folder cannot be used, or a worker died.
    """
    repository = Repository(batch.repository, roots=batch.roots)
    targets = tuple(repository.targets())[: batch.limit]
    journal = _open_journal(batch, repository)
    done = {(e.path, e.qualname): e for e in map(Entry.from_json, journal.rows)} if journal else {}
    left = [target for target in targets if (target.path, target.qualname) not in done]
    started = told = time.monotonic()
    for entry in _entries(batch, repository, left):
        done[entry.path, entry.qualname] = entry
        if journal:
            journal.add(entry.to_json())
        now = time.monotonic()
        if now - told > SECONDS_BETWEEN_LINES:
            told = now
            say(f"{len(done)} of {len(targets)} functions, {now - started:.0f} s")
    entries = tuple(done[target.path, target.qualname] for target in targets)
    return Summary(entries, tuple(repository.left_out()))


def _open_journal(batch: BatchOptions, repository: Repository) -> Journal | None:
    if batch.folder is None:
        return None
    folder = Path(batch.folder)
    if not folder.parent.is_dir():
        raise OutputError(f"folder {folder.parent} does not exist: make it first")
    if not batch.resume:
        require_empty(folder)
    key = {"roots": list(batch.roots), **asdict(batch.options)}
    paths = sorted({target.path for target in repository.targets()})
    return Journal.open(folder / "results.jsonl", fingerprint(Path(batch.repository), paths, key))


def _entries(
    batch: BatchOptions, repository: Repository, left: Sequence[Target]
) -> Iterable[Entry]:
    """One entry for each target, in their order, whatever the number of processes."""
    worker = _Worker(repository, batch.options, batch.folder)
    if batch.jobs == 1 or len(left) <= CHUNK:
        return map(worker.slice, left)
    return _entries_in_parallel(batch, left)


def _entries_in_parallel(batch: BatchOptions, left: Sequence[Target]) -> Iterator[Entry]:
    with ProcessPoolExecutor(
        batch.jobs, get_context("spawn"), initializer=_start_worker, initargs=(batch,)
    ) as pool:
        try:
            yield from pool.map(_slice_in_worker, left, chunksize=CHUNK)
        except BrokenProcessPool as error:
            advice = "; go on with --resume" if batch.folder else ""
            raise WorkerError(f"a worker process died, of memory perhaps{advice}") from error
        finally:
            pool.shutdown(cancel_futures=True)


class WorkerError(SliceFuncError):
    """A process of the run died; the function it worked on is not known."""

    exit_status = 4


@dataclass(frozen=True, slots=True)
class _Worker:
    """One process's repository, which serves all of its targets."""

    repository: Repository
    options: Options
    folder: str | None

    def slice(self, target: Target) -> Entry:
        """Slice one function; any failure but of the output becomes an entry."""
        started = time.perf_counter()
        try:
            result = compile_slice(self.repository, [str(target)], self.options)
        except Exception as error:  # noqa: BLE001 - one function must not end the run
            return _failed(target, error, time.perf_counter() - started)
        seconds = time.perf_counter() - started
        output = self._keep(target, result) if self.folder else None
        return _sliced(target, result, output, seconds)

    def _keep(self, target: Target, result: Slice) -> str:
        assert self.folder is not None
        name = f"slices/{target.path}/{target.qualname}"
        if result.manifest.layout != "package":
            name += ".py"
        place = Path(self.folder, name)
        place.parent.mkdir(parents=True, exist_ok=True)
        if result.manifest.layout == "package":
            write_tree(place, result.files)
        else:
            write_file(place, result.files[0].content)
        return name


_workers: list[_Worker] = []
"""The worker of this process, once the pool has started it."""


def _start_worker(batch: BatchOptions) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it too, and ends the pool
    repository = Repository(batch.repository, roots=batch.roots)
    _workers.append(_Worker(repository, batch.options, batch.folder))


def _slice_in_worker(target: Target) -> Entry:
    return _workers[0].slice(target)


def _sliced(target: Target, result: Slice, output: str | None, seconds: float) -> Entry:
    return Entry(
        path=target.path,
        qualname=target.qualname,
        sliced=True,
        layout=result.manifest.layout,
        output=output,
        lines=sum(file.content.count(b"\n") for file in result.files),
        definitions=len(result.manifest.definitions),
        gaps=dict(sorted(Counter(gap.kind for gap in result.gaps).items())),
        reasons=(),
        seconds=round(seconds, 4),
    )


def _failed(target: Target, error: Exception, seconds: float) -> Entry:
    reason = Reason(
        code=_code(error),
        path=target.path,
        line=None,
        hint=str(error) if isinstance(error, SliceFuncError) else repr(error),
    )
    return Entry(
        path=target.path,
        qualname=target.qualname,
        sliced=False,
        layout=None,
        output=None,
        lines=0,
        definitions=0,
        gaps={},
        reasons=(reason,),
        seconds=round(seconds, 4),
    )


def _code(error: Exception) -> str:
    """The reason code: what the exception is called, or `internal` for what is a bug of ours."""
    if isinstance(error, SliceFuncError):
        name = type(error).__name__.removesuffix("Error")
        return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")
    if isinstance(error, RecursionError | MemoryError):
        return "too_deep"
    return "internal"
