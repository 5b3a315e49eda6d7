"""A build: from a list of repositories to a dataset. Read `build` from top to bottom."""

from __future__ import annotations

import contextlib
import json
import signal
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any, Protocol

from ..storage.dataset import MANIFEST
from ..storage.journal import HEADER, Journal
from ..storage.store import Store
from .carry import carried_over
from .disk_room import FullDisks
from .engines.engine import Engine
from .journal_rows import Identity, identity_of, identity_of_task, surveyed_row, was_lost
from .plan import RepositoryPlan
from .scheduler import scheduled
from .seal import Selection, seal
from .tasks import BuildOptions, Made, Make, Survey, Surveyed


class Watcher(Protocol):
    """Receives the progress of a build."""

    def begin(self, plans: Sequence[RepositoryPlan], done: int, environments: int) -> None:
        """Take the repositories, and what an earlier run has finished."""
        ...

    def surveyed(self, found: Surveyed) -> None:
        """Take a repository whose functions are known, or that cannot be used."""
        ...

    def made(self, found: Made) -> None:
        """Take a finished function."""
        ...


@dataclass(frozen=True, slots=True)
class Build:
    """What is built, how, and where."""

    plans: tuple[RepositoryPlan, ...]
    options: BuildOptions
    store: Store
    resumes: bool = False
    limit: int | None = None
    """Maximum number of functions."""
    selection: Selection = field(default_factory=Selection)
    since: str | None = None
    """Date, `YYYY-MM-DD`: the dataset that is there is updated with what is newer."""

    def key(self) -> dict[str, Any]:
        """Return all that decides what comes of a function, beside its repository."""
        verification = asdict(self.options.verification)
        del verification["seconds"]
        return {
            "tool_version": version("slice-func"),
            "options": asdict(self.options.options),
            "verification": verification,
        }


def build(
    work: Build, make_engine: Callable[[BuildOptions], Engine], watcher: Watcher
) -> dict[str, Any]:
    """Build a dataset and return its manifest; an interrupted build goes on with `resumes`.

    A finished one stays as it is with `resumes`, unless it is updated.

    Raises:
        SliceFuncError: the place or the engine cannot be used, or a worker's disk is full.
        OSError: the place cannot be written; what is written so far stays.
    """
    store = work.store
    if work.resumes and not work.since and store.exists(MANIFEST) and not store.exists(HEADER):
        manifest: dict[str, Any] = json.loads(store.read(MANIFEST))
        return manifest
    key = work.key()
    about = _about(work, key)
    carried = carried_over(work.store, work.plans, work.since, about) if work.since else None
    updates = carried is not None
    journal = Journal.open(work.store, key, resumes=work.resumes, updates=updates)
    plans = [plan for plan in work.plans if carried is None or plan.repo not in carried.repos]
    before = _finished(journal)
    watcher.begin(plans, len(before), sum(before.values()))
    limit = None if work.limit is None else max(0, work.limit - len(before))
    engine = make_engine(work.options)
    full = FullDisks(engine.workers)
    try:
        for task, result in scheduled(
            engine, plans, lambda task: identity_of_task(task) in before, limit
        ):
            match task, result:
                case Survey(), Surveyed():
                    journal.add(surveyed_row(task.plan, result))
                    watcher.surveyed(result)
                case Make(), Made():
                    journal.add(result.row)
                    watcher.made(result)
                case _:
                    raise AssertionError
            full.add(result)
    finally:
        with _uninterrupted():
            engine.close()
        journal.flush()
    full.check()
    return seal(work.store, journal, about, work.selection, carried)


@contextlib.contextmanager
def _uninterrupted() -> Generator[None]:
    """Pass over a second signal to stop while the workers end, which takes seconds."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    both = signal.SIGINT, signal.SIGTERM
    before = [signal.signal(each, signal.SIG_IGN) for each in both]
    try:
        yield
    finally:
        for each, handler in zip(both, before, strict=True):
            signal.signal(each, handler)


def _finished(journal: Journal) -> dict[Identity, bool]:
    """Return each function that an earlier run has finished, and whether it is an environment."""
    return {
        identity_of(row): row["record"] is not None
        for _, row in journal.rows()
        if row["kind"] == "function" and not was_lost(row)
    }


def _about(work: Build, key: Mapping[str, Any]) -> dict[str, Any]:
    verification, duplicates = work.options.verification, work.selection.duplicates
    thresholds = {
        "min_branches": verification.min_branches,
        "min_killed": verification.min_killed,
        "min_unseen": verification.min_unseen,
    }
    return {
        "tool_version": key["tool_version"],
        "thresholds": thresholds,
        "build": dict(key),
        "function_seconds": work.options.seconds,
        "duplicates": duplicates and asdict(duplicates),
    }
