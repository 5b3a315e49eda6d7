"""Make the dataset of a finished journal: sorted, without duplicates, the same bytes each time."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..deduplication.find_duplicates import find_duplicates
from ..deduplication.function import Fallen, Function, Options
from ..storage.columns import EnvironmentRow, FunctionRow, RepositoryRow
from ..storage.dataset import StoredDataset
from ..storage.digests import digest
from ..storage.environment_rows import file_contents, original_code
from ..storage.journal import FOLDER, Journal, Place
from ..storage.store import Store
from ..storage.write_dataset import Content, write_dataset
from .journal_rows import (
    Identity,
    environment_of_row,
    environment_row_of,
    function_row,
    identity_of,
    repository_row,
)

COSTS = "costs.jsonl.gz"
"""Seconds of each function: the one file that differs from build to build."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which environments a dataset leaves out, and which of them evaluate."""

    duplicates: Options | None = field(default_factory=Options)
    """How alike two functions must be for one to fall; `None` keeps all."""


@dataclass(frozen=True, slots=True)
class Carried:
    """What a build takes over from the dataset that is there."""

    dataset: StoredDataset
    repos: frozenset[str]
    """Names of the repositories that are taken over whole."""


@dataclass(frozen=True, slots=True)
class _Made:
    """A finished function."""

    row: FunctionRow
    function: Function | None
    """The environment's function; `None` if it became none."""
    environment: str | None
    """Id of the environment."""
    place: Place | EnvironmentRow | None
    """Place of the environment in the journal, or its row if it is taken over."""

    @property
    def order(self) -> tuple[str, str, str, str, str]:
        row = self.row
        return (row.split, row.repo, row.path, row.qualname, row.commit or "")


def seal(
    store: Store,
    journal: Journal,
    about: Mapping[str, Any],
    selection: Selection | None = None,
    carried: Carried | None = None,
) -> dict[str, Any]:
    """Write the dataset of a journal in its place, and remove the journal; return the manifest."""
    selection = selection or Selection()
    repositories: dict[str, RepositoryRow] = {}
    functions: dict[Identity, _Made] = {}
    costs: dict[Identity, dict[str, Any]] = {}
    for place, row in journal.rows():
        if row["kind"] == "repository":
            repositories[row["repo"]] = repository_row(row)
        else:  # of two rows the later counts: the function was tried again
            functions[identity_of(row)] = _made(place, row)
            costs[identity_of(row)] = _cost(row)
    made = list(functions.values())
    if carried is not None:
        made += _carried(carried)
        for each in carried.dataset.repositories():
            if each.repo in carried.repos:
                repositories.setdefault(each.repo, each)
    every = _judged(made, selection)
    kept = sorted((each for each in every if each.row.environment), key=lambda each: each.order)
    loader = _Loader(journal, carried)
    numbers = Counter(each.row.repo for each in kept)
    content = Content(
        environments=loader.rows(kept),
        functions=[each.row for each in every],
        repositories=[
            replace(row, environments=numbers[name]) for name, row in sorted(repositories.items())
        ],
        read=loader.read,
        about=about,
    )
    manifest = write_dataset(store, content)
    taken = sorted(costs.values(), key=lambda each: (each["repo"], each["path"], each["qualname"]))
    text = "".join(json.dumps(each) + "\n" for each in taken)
    store.write(COSTS, gzip.compress(text.encode(), mtime=0))
    store.remove(FOLDER)
    return manifest


def _made(place: Place, row: Mapping[str, Any]) -> _Made:
    environment = environment_of_row(row)
    found = function_row(row)
    if environment is None:
        return _Made(found, None, None, None)
    identity: str = environment.record["id"]
    function = _function(found, identity, original_code(environment), row["created"])
    return _Made(found, function, identity, place)


def _carried(carried: Carried) -> Iterator[_Made]:
    """Yield the functions that are taken over."""
    environments = {row.id: row for row in carried.dataset.rows() if row.repo in carried.repos}
    for row in carried.dataset.functions():
        if row.repo not in carried.repos:
            continue
        found = environments.get(row.environment or "")
        function = found and _function(row, found.id, found.code, found.created)
        yield _Made(row, function, row.environment, found)


def _function(row: FunctionRow, identity: str, code: str, created: str | None) -> Function:
    """Return what duplicates are looked for by; of two that are alike, the first name stays."""
    name = f"{row.repo} {row.path}::{row.qualname} {identity}"
    return Function(name, row.repo, row.path, row.qualname, code, created, row.split)


def _judged(every: list[_Made], selection: Selection) -> list[_Made]:
    """Return all functions, with their splits, and with what each duplicate repeats."""
    if selection.duplicates is None:
        return every
    among = [each.function for each in every if each.function is not None]
    verdicts = find_duplicates(among, selection.duplicates)
    fallen = {each.id: each for each in verdicts.fallen}
    splits = dict(verdicts.kept)
    ids = {each.function.id: each.environment for each in every if each.function is not None}
    judged: list[_Made] = []
    for each in every:
        name = each.function.id if each.function else ""
        row = _with_verdict(each.row, fallen.get(name), splits.get(name), ids)
        judged.append(replace(each, row=row))
    return judged


def _with_verdict(
    row: FunctionRow, fallen: Fallen | None, split: str | None, ids: Mapping[str, str | None]
) -> FunctionRow:
    if fallen is not None:
        return row.as_duplicate(ids[fallen.resembles], fallen.similarity, fallen.split)
    return replace(row, split=split) if split else row


@dataclass(slots=True)
class _Loader:
    """Reads environments from the journal and the dataset taken over, one at a time."""

    journal: Journal
    carried: Carried | None
    contents: dict[str, bytes] | None = None
    """Hash → content of the files of the row that came last, if it is of the journal."""

    def rows(self, every: list[_Made]) -> Iterator[EnvironmentRow]:
        for each in every:
            if isinstance(each.place, EnvironmentRow):
                self.contents = None
                yield replace(each.place, split=each.row.split)
                continue
            assert each.place is not None
            row = self.journal.row(each.place)
            environment = environment_of_row(row)
            assert environment is not None
            files = file_contents(environment)
            self.contents = {digest(content): content for content in files.values()}
            yield replace(environment_row_of(row), split=each.row.split)

    def read(self, name: str) -> bytes:
        """Return a file of the row that came last."""
        if self.contents is not None:
            return self.contents[name]
        assert self.carried is not None
        return self.carried.dataset.blobs.read(name)


def _cost(row: Mapping[str, Any]) -> dict[str, Any]:
    entry = row["entry"]
    return {
        "repo": row["repo"],
        "path": entry["path"],
        "qualname": entry["qualname"],
        "seconds": entry["seconds"],
    }
