"""Judge one repository: by what its source says, then by its files."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from multiprocessing.synchronize import Event

from .candidates import Candidate, Kept, Rejection
from .contents.checkout import UnreadableError, checkout
from .contents.contents import Contents
from .contents.fetch import fetched
from .functions.choose import choose_functions
from .rules import rejection
from .rules.rule import Subject
from .settings import Settings

Outcome = Kept | Rejection


def judge_metadata(candidate: Candidate, settings: Settings) -> Outcome | None:
    """Return the outcome that metadata alone decides; `None` if the files are to be read."""
    is_read = candidate.is_local or settings.fetches
    found = rejection(Subject(candidate, None, is_final=not is_read), settings)
    if found:
        return Rejection(candidate.repo, candidate.source, *found)
    return None if is_read else Kept(candidate)


def judge_files(candidate: Candidate, settings: Settings) -> Outcome:
    """Return whether a repository is kept, with its functions, or by which rule it is not."""
    try:
        with (
            nullcontext(candidate) if candidate.is_local else fetched(candidate) as local,
            checkout(local, 1000 * settings.max_size_mb) as files,
        ):
            return _judge_contents(local, Contents(files), settings)
    except UnreadableError as error:
        return Rejection(candidate.repo, candidate.source, "unreadable", str(error))


def _judge_contents(candidate: Candidate, contents: Contents, settings: Settings) -> Outcome:
    known = replace(
        candidate,
        licence=candidate.licence or contents.licence,
        created=candidate.created or contents.checkout.created,
        pushed=candidate.pushed or contents.checkout.pushed,
        size_kb=contents.size_kb if candidate.size_kb is None else candidate.size_kb,
    )
    found = rejection(Subject(known, contents), settings)
    if found:
        return Rejection(known.repo, known.source, *found)
    choice = choose_functions(known.repo, contents.repository, settings)
    if not choice.kept:
        rules = sorted({each.rule for each in choice.left_out})
        reason = f"none is left by {', '.join(rules)}" if rules else "it has none"
        return Rejection(known.repo, known.source, "functions", reason)
    facts = {
        "has_ci": contents.has_ci,
        "has_tests": contents.has_tests,
        "python_share": contents.shares.get("Python", 0.0),
    }
    known = replace(known, metadata={**known.metadata, **facts})
    return Kept(known, contents.lines, tuple(choice.kept), tuple(choice.left_out))


def in_processes(
    judge: Callable[[Candidate], Outcome], candidates: Sequence[Candidate], workers: int
) -> Iterator[Outcome]:
    """Judge in several processes; one that is killed, for want of memory, costs one repository."""
    left = list(candidates)
    while left:
        with _pool(workers) as pool:
            try:
                for outcome in pool.map(partial(_judge, judge), left):
                    yield outcome
                    del left[0]
            except BrokenProcessPool:
                pool.shutdown(cancel_futures=True)
        if left:
            yield _alone(judge, left.pop(0))


def _alone(judge: Callable[[Candidate], Outcome], candidate: Candidate) -> Outcome:
    """Judge one in a process of its own; it may be the one whose process was killed."""
    with _pool(1) as pool:
        try:
            return pool.submit(_judge, judge, candidate).result()
        except BrokenProcessPool:
            reason = "the process that read it was killed; it may need more memory"
            return Rejection(candidate.repo, candidate.source, "unreadable", reason)


@contextmanager
def _pool(workers: int) -> Generator[ProcessPoolExecutor]:
    """Open processes; an interrupt waits for what each is reading, whose files are then removed."""
    context = get_context("forkserver")
    ended = context.Event()
    with ProcessPoolExecutor(workers, context, _begin, (ended,)) as pool:
        try:
            yield pool
        except BaseException:
            ended.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


class _Worker:
    """The process that judges."""

    ended: Event | None = None
    """Set when the parent is interrupted: the executor hands out some items in advance."""


def _begin(ended: Event) -> None:
    """Leave interrupts to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Worker.ended = ended


def _judge(judge: Callable[[Candidate], Outcome], candidate: Candidate) -> Outcome:
    if _Worker.ended is not None and _Worker.ended.is_set():
        raise InterruptedError
    return judge(candidate)
