"""A build: from a list of repositories to a dataset. Read `build` from top to bottom."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any, Protocol

from ..storage.store import Store
from .carry import carried_over
from .engines.engine import Engine
from .journal import Journal
from .journal_rows import made_row, surveyed_row, was_lost
from .plan import RepositoryPlan
from .scheduler import scheduled
from .seal import Selection, seal
from .tasks import BuildOptions, Made, Make, Survey, Surveyed, item_key


class Watcher(Protocol):
    """Who is told what is finished."""

    def begin(self, repositories: int, done: Sequence[Mapping[str, Any]]) -> None:
        """Take the number of repositories, and the rows of an earlier run."""
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

    Raises:
        SliceFuncError: the place or the engine cannot be used.
        OSError: the place cannot be written; what is written so far stays.
    """
    key = work.key()
    about = _about(work, key)
    carried = carried_over(work.store, work.plans, work.since, about) if work.since else None
    updates = carried is not None
    journal = Journal.open(work.store, key, resumes=work.resumes, updates=updates)
    plans = [plan for plan in work.plans if carried is None or plan.repo not in carried.repos]
    before = [row for _, row in journal.rows()]
    done = {row["key"] for row in before if row["kind"] == "function" and not was_lost(row)}
    watcher.begin(len(plans), before)
    engine = make_engine(work.options)
    try:
        for task, result in scheduled(
            engine, plans, lambda task: item_key(task, key) in done, work.limit
        ):
            match task, result:
                case Survey(), Surveyed():
                    journal.add(surveyed_row(task.plan, result))
                    watcher.surveyed(result)
                case Make(), Made():
                    journal.add(made_row(item_key(task, key), task, result))
                    watcher.made(result)
                case _:
                    raise AssertionError
    finally:
        engine.close()
        journal.flush()
    return seal(work.store, journal, about, work.selection, carried)


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
        "duplicates": duplicates and asdict(duplicates),
    }
