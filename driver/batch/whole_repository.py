"""`--all`: slice every function of a repository, verify each on request, and count the outcomes.

An expected failure is an entry with its reasons; the run goes on. With an output folder,
`results.jsonl` receives one line for each finished function, and a stopped run resumes from it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...slicer import Repository
from ...slicer.errors import RepositoryError
from ..console.progress import Progress
from ..record.output_files import require_empty, require_parent
from .entries import Entry
from .journal import Journal, fingerprint
from .target_globs import Globs
from .waterfall import Summary
from .worker import Work, Worker
from .worker_processes import entries_in_processes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ...slicer.model import Target

CHUNK = 8
"""Number of functions that a worker takes at a time, if it only slices them."""
SECONDS = 120
"""Time limit for one function, in seconds."""


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """Options of a whole-repository run."""

    resume: bool = False
    jobs: int | None = None
    """Number of processes; by default one for each core if scripts are run, else one."""
    limit: int | None = None
    """Maximum number of functions."""
    seconds: int = SECONDS
    """Time limit for one function, if it is run."""
    globs: Globs = field(default_factory=Globs)
    """Filter of functions; it does not affect how a function is processed."""


def run_all(
    work: Work, batch: BatchOptions, report: Callable[[str], None] = lambda _line: None
) -> Summary:
    """Process every function of the repository.

    Args:
        work: what to do with each function.
        batch: options of the run.
        report: receives messages for people, line by line.

    Raises:
        SliceFuncError: the repository, the output folder or the sandbox cannot be used, or no
            file or function is left.
    """
    repository = Repository(work.repository, roots=work.roots)
    every = tuple(repository.targets())
    if not any(repository.python_files()):
        raise RepositoryError(
            f"{work.repository} holds no Python file", "name a folder with a repository in it"
        )
    if not every:
        report(f"{work.repository} holds no function")
    taken = batch.globs.selected(every)
    for line in batch.globs.idle(every):
        report(line)
    targets = taken[: batch.limit]
    journal = _open_journal(work, batch, repository)
    wanted = {(target.path, target.qualname) for target in targets}
    rows = map(Entry.from_json, journal.rows if journal else ())
    done = {(e.path, e.qualname): e for e in rows if (e.path, e.qualname) in wanted}
    left = [target for target in targets if (target.path, target.qualname) not in done]
    if left and work.verification is not None:
        work = _with_executor(work, report)
    good = sum(bool(entry.passed) for entry in done.values())
    has_cases = work.verification is not None and work.verification.test
    progress = Progress(len(targets), len(targets) - len(left), good if has_cases else None)
    with progress:
        for entry in _entries(work, batch, repository, left):
            done[entry.path, entry.qualname] = entry
            if journal:
                journal.add(entry.to_json())
            progress.add(is_good=bool(entry.passed))
    entries = tuple(done[target.path, target.qualname] for target in targets)
    left_out = tuple(str(error) for _, error in repository.unreadable())
    return Summary(
        entries,
        left_out,
        has_runs=work.verification is not None,
        has_cases=has_cases,
        excluded=len(every) - len(taken) if batch.globs else None,
    )


def _open_journal(work: Work, batch: BatchOptions, repository: Repository) -> Journal | None:
    """Return the journal, in the folder of scripts, or else of environments."""
    folders = [Path(each) for each in (work.folder, work.environments) if each]
    if not folders:
        return None
    for folder in folders:
        require_parent(folder)
        if not batch.resume:
            require_empty(folder)
    paths = sorted({target.path for target in repository.targets()})
    key = fingerprint(Path(work.repository), paths, work.key())
    return Journal.open(folders[0] / "results.jsonl", key)


def _with_executor(work: Work, report: Callable[[str], None]) -> Work:
    from ...verifier.execution.executors.choose_executor import choose

    choice = choose(wanted=work.verification.executor if work.verification else None)
    for line in choice.lines():
        report(line)
    return replace(work, choice=choice)


def _entries(
    work: Work, batch: BatchOptions, repository: Repository, left: Sequence[Target]
) -> Iterable[Entry]:
    """Yield one entry for each target, independent of the number of processes."""
    if not left:
        return ()
    if work.verification is not None:
        jobs = batch.jobs or len(os.sched_getaffinity(0))
        return entries_in_processes(work, left, jobs=jobs, seconds=batch.seconds)
    jobs = batch.jobs or 1
    if jobs == 1 or len(left) <= CHUNK:
        return map(Worker(work, repository).entry, left)
    return entries_in_processes(work, left, jobs=jobs, seconds=batch.seconds, chunk=CHUNK)
