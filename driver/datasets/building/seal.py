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
class Selection:
    """Which environments a dataset leaves out, and which of them evaluate."""

    duplicates: Options | None = field(default_factory=Options)
    """How alike two functions must be for one to fall; `None` keeps all."""


@dataclass(frozen=True, slots=True)
class _Made:
    """A finished function in the journal."""

    place: Place
    function: Function | None
    """The environment's function; `None` if it became none."""
    environment: str | None
    """Id of the environment."""
    row: FunctionRow

    @property
    def order(self) -> tuple[str, str, str, str, str]:
        row = self.row
        return (row.split, row.repo, row.path, row.qualname, row.commit or "")


def seal(
    store: Store, journal: Journal, about: Mapping[str, Any], selection: Selection | None = None
) -> dict[str, Any]:
    """Write the dataset of a journal in its place, and remove the journal; return the manifest."""
    selection = selection or Selection()
    repositories: dict[str, dict[str, Any]] = {}
    functions: dict[str, _Made] = {}
    costs: dict[str, dict[str, Any]] = {}
    for place, row in journal.rows():
        if row["kind"] == "repository":
            repositories.setdefault(row["repo"], row)
        else:  # of two rows the later counts: the function was tried again
            functions[row["key"]] = _made(place, row)
            costs[row["key"]] = _cost(row)
    every = _judged(list(functions.values()), selection)
    kept = sorted((each for each in every if each.row.environment), key=lambda each: each.order)
    loader = _Loader(journal)
    numbers = Counter(each.row.repo for each in kept)
    content = Content(
        environments=loader.rows(kept),
        functions=[each.row for each in every],
        repositories=[
            repository_row(row, numbers[name]) for name, row in sorted(repositories.items())
        ],
        read=lambda name: loader.contents[name],
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
    function = environment and Function(
        # of two that are alike, the first name stays
        id=f"{found.repo} {found.path}::{found.qualname} {row['key']}",
        repo=found.repo,
        path=found.path,
        qualname=found.qualname,
        code=original_code(environment),
        created=row["created"],
        split=found.split,
    )
    identity = environment.record["id"] if environment else None
    return _Made(place, function, identity, found)


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
        return replace(
            row,
            split=fallen.split,
            environment=None,
            reasons=(*row.reasons, "duplicate"),
            duplicate_of=ids[fallen.resembles],
            similarity=round(fallen.similarity, 6),
        )
    return replace(row, split=split) if split else row


@dataclass(slots=True)
class _Loader:
    """Reads environments from the journal, one at a time, with their files."""

    journal: Journal
    contents: dict[str, bytes] = field(default_factory=dict[str, bytes])
    """Hash → content of the files of the row that came last."""

    def rows(self, every: list[_Made]) -> Iterator[EnvironmentRow]:
        for each in every:
            row = self.journal.row(each.place)
            environment = environment_of_row(row)
            assert environment is not None
            files = file_contents(environment)
            self.contents = {digest(content): content for content in files.values()}
            yield replace(environment_row_of(row), split=each.row.split)


def _cost(row: Mapping[str, Any]) -> dict[str, Any]:
    entry = row["entry"]
    return {
        "repo": row["repo"],
        "path": entry["path"],
        "qualname": entry["qualname"],
        "seconds": entry["seconds"],
    }
