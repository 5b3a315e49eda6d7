"""What the journal keeps of a repository and of a function."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...batch.entries import Entry
from ...batch.handler import Loss
from ...record.environment_files import Environment
from ...record.reason_codes import reason
from ..storage.columns import EnvironmentRow, FunctionRow, RepositoryRow
from ..storage.environment_rows import Source, environment_row
from ..storage.journal import packed
from .plan import RepositoryPlan
from .tasks import Made, Make, Result, Survey, Surveyed, Task

_LOST = frozenset({"worker_died", "sandbox", "disk_full"})

Identity = tuple[str, str | None, str, str]
"""Repository, commit, path and qualified name: all else is the same within one journal."""


def surveyed_row(plan: RepositoryPlan, found: Surveyed) -> bytes:
    """Return the journal's row of a repository, packed."""
    row = {
        "kind": "repository",
        "repo": plan.repo,
        "source": plan.source,
        "commit": found.commit or plan.commit,
        "licence": found.licence or plan.licence,
        "created": plan.created,
        "pushed": plan.pushed,
        "split": plan.split,
        "functions": len(found.targets),
        "rule": found.rule,
        "reason": found.reason,
        "metadata": plan.metadata,
        "seconds": found.seconds,
    }
    return packed(row)


def made(task: Make, entry: Entry, environment: Environment | None = None) -> Made:
    """Return the result of a task, with the journal's row of the function."""
    row = {
        "kind": "function",
        "repo": task.plan.repo,
        "commit": task.commit,
        "created": task.plan.created,
        "licence": task.plan.licence,
        "split": task.plan.split,
        "entry": entry.to_json(),
        "record": environment and environment.record,
        "files": environment and environment.files,
    }
    full = (each.hint for each in entry.reasons if each.code == "disk_full")
    return Made(task.plan.repo, environment is not None, packed(row), next(full, ""))


def lost(task: Task, loss: Loss) -> Result:
    """Return the result of a task whose worker was lost."""
    if isinstance(task, Survey):
        why = reason(loss.code, "", None, loss.detail)
        return Surveyed(task.plan.repo, rule=why.code, reason=why.hint)
    return made(task, loss.entry(task.target))


def identity_of(row: Mapping[str, Any]) -> Identity:
    """Return what a function's row is about."""
    return (row["repo"], row["commit"], row["entry"]["path"], row["entry"]["qualname"])


def identity_of_task(task: Make) -> Identity:
    """Return what a task is about."""
    return (task.plan.repo, task.commit, task.target.path, task.target.qualname)


def was_lost(row: Mapping[str, Any]) -> bool:
    """Whether a process, a sandbox or room was lost, which says nothing of the function."""
    return any(each["code"] in _LOST for each in row["entry"]["reasons"])


def repository_row(row: Mapping[str, Any]) -> RepositoryRow:
    """Return the dataset's row of a repository; its environments are not counted yet."""
    fields = {name: value for name, value in row.items() if name not in ("kind", "seconds")}
    return RepositoryRow(**fields, environments=0)


def function_row(row: Mapping[str, Any]) -> FunctionRow:
    """Return the dataset's row of a function."""
    entry = Entry.from_json(row["entry"])
    faithful: dict[str, int] = entry.faithful or {}
    return FunctionRow(
        repo=row["repo"],
        commit=row["commit"],
        path=entry.path,
        qualname=entry.qualname,
        split=row["split"],
        sliced=entry.sliced,
        layout=entry.layout,
        lines=entry.lines,
        definitions=entry.definitions,
        gaps=sum((entry.gaps or {}).values()),
        runs=entry.runs,
        called=entry.called,
        stable=entry.stable,
        compared=faithful.get("compared", 0),
        same=faithful.get("same", 0),
        branches=entry.branches,
        killed=entry.killed,
        unseen_killed=entry.unseen_killed,
        cases=entry.cases,
        environment=row["record"]["id"] if row["record"] else None,
        reasons=tuple(each.code for each in entry.reasons),
        detail=entry.reasons[0].hint if entry.reasons else "",
        duplicate_of=None,
        similarity=None,
    )


def environment_of_row(row: Mapping[str, Any]) -> Environment | None:
    """Return the environment that a row of the journal has, if it has one."""
    return Environment(row["record"], row["files"]) if row["record"] else None


def environment_row_of(row: Mapping[str, Any]) -> EnvironmentRow:
    """Return the dataset's row of the environment."""
    environment = environment_of_row(row)
    assert environment is not None
    source = Source(row["repo"], row["created"], row["split"], row["licence"])
    return environment_row(environment, source)
