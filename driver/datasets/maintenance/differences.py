"""What differs between two datasets: environments that are new, gone, changed, and how."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from ..storage.columns import EnvironmentRow
from ..storage.dataset import Dataset

Kind = Literal["new", "gone", "changed", "moved"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One environment that the two datasets do not share."""

    kind: Kind
    """`moved`: the same function in another place of its repository."""
    repo: str
    path: str
    qualname: str
    what: tuple[str, ...] = ()
    """What has changed: `code`, `commit`, `cases`, `observations`, `metrics`, …"""
    before: str | None = None
    """Id in the older dataset."""
    after: str | None = None
    """Id in the newer one."""

    def __str__(self) -> str:
        what = f": {', '.join(self.what)}" if self.what else ""
        return f"{self.kind:<8} {self.repo} {self.path}::{self.qualname}{what}"


def differences(older: Dataset, newer: Dataset) -> Iterator[Difference]:
    """Yield what differs, by repository, path and qualified name."""
    before = {(row.repo, row.path, row.qualname): row for row in older.rows()}
    after = {(row.repo, row.path, row.qualname): row for row in newer.rows()}
    gone = {(row.repo, row.code): key for key, row in before.items() if key not in after}
    for key in sorted(before.keys() | after.keys()):
        old, new = before.get(key), after.get(key)
        if old is not None and new is not None:
            if old.id != new.id:
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
