"""What differs between two datasets: environments, functions without one, repositories."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from ..storage.columns import EnvironmentRow, FunctionRow, RepositoryRow
from ..storage.dataset import Dataset

Kind = Literal["new", "gone", "changed", "moved"]


@dataclass(frozen=True, slots=True)
class Difference:
    """A row that the two datasets do not share."""

    kind: Kind
    """`moved`: the same function in another place of its repository."""
    repo: str
    path: str
    """Empty, as `qualname` is, for a repository as a whole."""
    qualname: str
    what: tuple[str, ...] = ()
    """What has changed: `code`, `commit`, `cases`, `observations`, `metrics`, …

    It begins with `repository` or `function without environment` if the row is one."""
    before: str | None = None
    """Id in the older dataset."""
    after: str | None = None
    """Id in the newer one."""

    def __str__(self) -> str:
        what = f": {', '.join(self.what)}" if self.what else ""
        place = f" {self.path}::{self.qualname}" if self.path else ""
        return f"{self.kind:<8} {self.repo}{place}{what}"


def differences(older: Dataset, newer: Dataset) -> Iterator[Difference]:
    """Yield what differs: environments, then functions without one, then repositories.

    Folders of environments say nothing of the latter two, which are not compared then.
    """
    yield from _environments(older, newer)
    if all("functions" in each.manifest["counts"] for each in (older, newer)):
        yield from _functions(older, newer)
        yield from _repositories(older, newer)


def _environments(older: Dataset, newer: Dataset) -> Iterator[Difference]:
    """Yield the environments that differ, by repository, path and qualified name."""
    before = {(row.repo, row.path, row.qualname): row for row in older.rows()}
    after = {(row.repo, row.path, row.qualname): row for row in newer.rows()}
    gone = {(row.repo, row.code): key for key, row in before.items() if key not in after}
    for key in sorted(before.keys() | after.keys()):
        old, new = before.get(key), after.get(key)
        if old is not None and new is not None:
            if old.id != new.id or old.split != new.split:
                what = tuple(_changed(old, new))
                yield Difference("changed", *key, what, old.id, new.id)
        elif new is not None:
            origin = gone.get((new.repo, new.code))
            if origin is None:
                yield Difference("new", *key, after=new.id)
            else:
                what = (f"from {origin[1]}::{origin[2]}",)
                yield Difference("moved", *key, what, before[origin].id, new.id)
        elif old is not None and not _moved(old, after):
            yield Difference("gone", *key, before=old.id)


def _functions(older: Dataset, newer: Dataset) -> Iterator[Difference]:
    """Yield the functions that differ and are an environment in neither dataset."""
    before, after = _outcomes(older), _outcomes(newer)
    for key in sorted(before.keys() | after.keys()):
        old, new = before.get(key), after.get(key)
        if (old and old.environment) or (new and new.environment):
            continue  # the environments say it
        if old is None or new is None:
            yield Difference("gone" if old else "new", *key, ("function without environment",))
        elif old.reasons != new.reasons:
            yield Difference("changed", *key, ("function without environment", "reasons"))


def _outcomes(dataset: Dataset) -> dict[tuple[str, str, str], FunctionRow]:
    return {(row.repo, row.path, row.qualname): row for row in dataset.functions()}


def _repositories(older: Dataset, newer: Dataset) -> Iterator[Difference]:
    """Yield the repositories that one dataset has no row of, or that fail in another way."""
    before: dict[str, RepositoryRow] = {row.repo: row for row in older.repositories()}
    after: dict[str, RepositoryRow] = {row.repo: row for row in newer.repositories()}
    for repo in sorted(before.keys() | after.keys()):
        old, new = before.get(repo), after.get(repo)
        if old is None or new is None:
            yield Difference("gone" if old else "new", repo, "", "", ("repository",))
        elif old.rule != new.rule:
            yield Difference("changed", repo, "", "", ("repository", "rule"))


def _moved(old: EnvironmentRow, after: dict[tuple[str, str, str], EnvironmentRow]) -> bool:
    return any(new.repo == old.repo and new.code == old.code for new in after.values())


def _changed(old: EnvironmentRow, new: EnvironmentRow) -> Iterator[str]:
    """Yield what differs between two states of one environment."""
    for name in ("commit", "split", "licence", "code", "prompt", "tool_version"):
        if getattr(old, name) != getattr(new, name):
            yield name
    files = dict.fromkeys(each.name for row in (old, new) for each in row.files)
    blobs = [{each.name: each.blob for each in row.files} for row in (old, new)]
    yield from (name for name in files if blobs[0].get(name) != blobs[1].get(name))
    records: list[dict[str, Any]] = [json.loads(row.record) for row in (old, new)]
    for name in ("cases", "metrics", "requirements", "externals"):
        if records[0].get(name) != records[1].get(name):
            yield name
