"""Make the dataset of a finished journal: sorted, without duplicates, the same bytes each time."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..storage.columns import EnvironmentRow, FunctionRow
from ..storage.digests import digest
from ..storage.environment_rows import file_contents, original_code
from ..storage.store import Store
from ..storage.write_dataset import Content, write_dataset
from .journal import FOLDER, Journal, Place
from .journal_rows import environment_of_row, environment_row_of, function_row, repository_row

COSTS = "costs.jsonl.gz"
"""Seconds of each function: the one file that differs from build to build."""


@dataclass(frozen=True, slots=True)
class _Key:
    """An environment in the journal: its place in the dataset, and in the journal."""

    split: str
    repo: str
    path: str
    qualname: str
    commit: str
    id: str
    created: str | None
    code: str
    place: Place

    @property
    def order(self) -> tuple[str, str, str, str, str]:
        return (self.split, self.repo, self.path, self.qualname, self.commit)


@dataclass(slots=True)
class _Loader:
    """Reads environments from the journal, one at a time, with their files."""

    journal: Journal
    contents: dict[str, bytes] = field(default_factory=dict[str, bytes])
    """Hash → content of the files of the row that came last."""

    def rows(self, keys: list[_Key]) -> Iterator[EnvironmentRow]:
        for key in keys:
            row = self.journal.row(key.place)
            environment = environment_of_row(row)
            assert environment is not None
            files = file_contents(environment)
            self.contents = {digest(content): content for content in files.values()}
            yield environment_row_of(row)


def seal(store: Store, journal: Journal, about: Mapping[str, Any]) -> dict[str, Any]:
    """Write the dataset of a journal in its place, and remove the journal; return the manifest."""
    keys: list[_Key] = []
    functions: list[FunctionRow] = []
    repositories: list[dict[str, Any]] = []
    costs: list[dict[str, Any]] = []
    seen: set[tuple[str, ...]] = set()
    for place, row in journal.rows():
        identity = _identity(row)
        if identity in seen:
            continue
        seen.add(identity)
        if row["kind"] == "repository":
            repositories.append(row)
            continue
        functions.append(function_row(row))
        costs.append(_cost(row))
        environment = environment_of_row(row)
        if environment is not None:
            code = original_code(environment)
            entry = row["entry"]
            keys.append(
                _Key(row["split"], row["repo"], entry["path"], entry["qualname"],
                     row["commit"] or "", environment.record["id"], row["created"], code, place)
            )  # fmt: skip
    keys.sort(key=lambda key: key.order)
    loader = _Loader(journal)
    made = Counter(key.repo for key in keys)
    content = Content(
        environments=loader.rows(keys),
        functions=functions,
        repositories=[repository_row(row, made[row["repo"]]) for row in repositories],
        read=lambda name: loader.contents[name],
        about=about,
    )
    manifest = write_dataset(store, content)
    text = "".join(
        json.dumps(each) + "\n"
        for each in sorted(costs, key=lambda each: (each["repo"], each["path"], each["qualname"]))
    )
    store.write(COSTS, gzip.compress(text.encode(), mtime=0))
    store.remove(FOLDER)
    return manifest


def _identity(row: Mapping[str, Any]) -> tuple[str, ...]:
    if row["kind"] == "repository":
        return ("repository", row["repo"])
    return ("function", row["key"])


def _cost(row: Mapping[str, Any]) -> dict[str, Any]:
    entry = row["entry"]
    return {
        "repo": row["repo"],
        "path": entry["path"],
        "qualname": entry["qualname"],
        "seconds": entry["seconds"],
    }
