"""What the first part of the page shows: counts, yields, distributions, cost, duplicates."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from ...datasets.storage.columns import EnvironmentRow, FunctionRow, RepositoryRow
from ...datasets.storage.dataset import Dataset, StoredDataset
from .distributions import cost_summary, percent, seconds, shares
from .tables import Column, in_size_order, size_of, table, yield_columns, yield_of, yields
from .waterfall import Thresholds, waterfall

_COSTS = "costs.jsonl.gz"
_COST_BYTES = 1 << 29
"""Most bytes of its text: a million functions have a fifth of them."""
_FUNCTION = (Column("repository"), Column("file"), Column("function"))


def overview(dataset: Dataset, rows: Sequence[EnvironmentRow]) -> dict[str, Any]:
    """Return everything of the page but the pages of environments, as JSON values."""
    functions = sorted(dataset.functions(), key=lambda e: (e.repo, e.path, e.qualname, e.split))
    repositories = sorted(dataset.repositories(), key=lambda each: each.repo)
    numbers = {row.id: index for index, row in enumerate(rows)}
    least = Thresholds.of(dataset.manifest)
    found: dict[str, Any] = {
        "counts": _counts(rows, functions, repositories),
        "distributions": [
            shares("Branches taken", (row.branch_coverage for row in rows)),
            shares("Mutants killed", (row.kill_rate for row in rows)),
            shares("Unseen mutants killed", (row.unseen_kill_rate for row in rows)),
        ],
        "environments": _environments(rows),
    }
    if functions or repositories:
        found["waterfall"] = waterfall(repositories, functions, least)
        found["yields"] = _yields(repositories, functions)
        found["duplicates"] = _duplicates(functions, numbers)
        found["rejected"] = _rejected(functions)
        found["cost"] = _cost(dataset, functions)
    return found


def _counts(
    rows: Sequence[EnvironmentRow],
    functions: Sequence[FunctionRow],
    repositories: Sequence[RepositoryRow],
) -> list[list[str]]:
    repos = len(repositories) or len({row.repo for row in rows})
    counts = [["environments", f"{len(rows):,}"], ["repositories", f"{repos:,}"]]
    if functions:
        counts.append(["functions tried", f"{len(functions):,}"])
        counts.append(["yield", percent(len(rows) / len(functions))])
    return counts


def _environments(rows: Sequence[EnvironmentRow]) -> dict[str, Any]:
    columns = (
        Column("function", "environment"),
        Column("repository"),
        Column("file"),
        Column("licence"),
        Column("split"),
        Column("lines", "count"),
        Column("branches", "share"),
        Column("killed", "share"),
        Column("unseen", "share"),
        Column("cases", "count"),
        Column("hidden", "count"),
        Column("compared", "count"),
        Column("same", "count"),
    )
    cells = (
        (index, row.repo, row.path, row.licence or "unknown", row.split, row.lines,
         row.branch_coverage, row.kill_rate, row.unseen_kill_rate, row.cases, row.hidden,
         row.compared, row.same)
        for index, row in enumerate(rows)
    )  # fmt: skip
    return table(columns, cells) | {"names": [row.qualname for row in rows]}


def _yields(
    repositories: Sequence[RepositoryRow], functions: Sequence[FunctionRow]
) -> list[dict[str, Any]]:
    """Return the tables by repository, by licence and by size."""
    licences = {each.repo: each.licence or "unknown" for each in repositories}
    made = [(each, each.environment is not None) for each in functions]
    columns = (
        *(Column("repository"), Column("licence"), Column("created"), Column("split")),
        *yield_columns(),
        Column("not built because"),
    )
    of_repo: defaultdict[str, list[bool]] = defaultdict(list)
    for row, is_made in made:
        of_repo[row.repo].append(is_made)
    cells = (
        (each.repo, each.licence or "unknown", each.created or "unknown", each.split,
         *yield_of(of_repo[each.repo]),
         f"{each.rule}: {each.reason}" if each.rule else "")
        for each in repositories
    )  # fmt: skip
    by_licence = ((licences.get(row.repo, "unknown"), is_made) for row, is_made in made)
    by_size = ((size_of(row.lines), is_made) for row, is_made in made if row.sliced)
    return [
        {"title": "By repository", **table(columns, cells)},
        {"title": "By licence", **yields("licence", by_licence)},
        {
            "title": "By size of the slice",
            **in_size_order(yields("lines of the slice", by_size)),
        },
    ]


def _duplicates(functions: Sequence[FunctionRow], numbers: dict[str, int]) -> dict[str, Any]:
    columns = (*_FUNCTION, Column("repeats", "environment"), Column("similarity", "share"))
    return table(
        columns,
        (
            (each.repo, each.path, each.qualname, numbers.get(each.duplicate_of), each.similarity)
            for each in functions
            if each.duplicate_of is not None
        ),
    )


def _rejected(functions: Sequence[FunctionRow]) -> dict[str, Any]:
    columns = (*_FUNCTION, Column("reasons"), Column("in words"), Column("lines", "count"))
    return table(
        columns,
        (
            (each.repo, each.path, each.qualname, ", ".join(each.reasons), each.detail, each.lines)
            for each in functions
            if each.environment is None and each.duplicate_of is None
        ),
    )


def _unpacked(packed: bytes) -> list[dict[str, Any]]:
    """Return the rows of a file of costs, which anybody may have written.

    Raises:
        ValueError: it is none, or too large.
        OSError: it is damaged.
        EOFError: it is cut off.
    """
    text = gzip.GzipFile(fileobj=io.BytesIO(packed)).read(_COST_BYTES + 1)
    if len(text) > _COST_BYTES:
        raise ValueError(f"more than {_COST_BYTES} bytes")
    rows: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines()]
    try:
        names = ("repo", "path", "qualname")
        return [
            {name: str(row[name]) for name in names} | {"seconds": float(row["seconds"])}
            for row in rows
        ]
    except (TypeError, KeyError) as error:
        raise ValueError(f"a row is none of costs: {error}") from None


def _cost(dataset: Dataset, functions: Sequence[FunctionRow]) -> dict[str, Any] | None:
    """Return what a build's file of costs says; `None` if there is none."""
    if not isinstance(dataset, StoredDataset):
        return None
    try:
        packed = dataset.store.read(_COSTS)
    except FileNotFoundError:
        return None
    with dataset.store.reading(_COSTS, (OSError, EOFError, zlib.error, ValueError)):
        costs = _unpacked(packed)
    if not costs:
        return None
    outcomes = {
        (each.repo, each.path, each.qualname): "environment"
        if each.environment
        else (each.reasons or ("no reason recorded",))[0]
        for each in functions
    }
    columns = (*_FUNCTION, Column("outcome"), Column("seconds", "seconds"))
    names = [(each["repo"], each["path"], each["qualname"]) for each in costs]
    cells = [
        (*name, outcomes.get(name, "unknown"), float(each["seconds"]))
        for name, each in zip(names, costs, strict=True)
    ]
    made = sum(each.environment is not None for each in functions)
    return {
        "summary": cost_summary(costs, made),
        "plot": seconds("Seconds of a function", [cell[-1] for cell in cells]),
        "functions": table(columns, cells),
    }
