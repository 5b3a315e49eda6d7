"""What a build has made of all functions tried, beside what RepoST has published.

python -m benchmarks.datasets.yields DATASET [--of LIST] [--write NAME]

A list, with the name of a repository and of a function a line, chooses functions: of repositories
that the build tried, each listed function counts as tried, one without a row too.

Shares come with 95 % intervals, since a build may try a sample alone. Functions of one repository
share its fate, so what is drawn again for an interval are repositories (bootstrap, Efron, 1979).
RepoST has published numbers of functions alone, and their interval is Wilson's. A function whose
environment repeats another one is counted as made here, and told beside it: RepoST does not look
for them.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from slicefunc.driver.datasets.storage.columns import FunctionRow, RepositoryRow
from slicefunc.driver.datasets.storage.dataset import open_built
from slicefunc.driver.evaluation.metrics.intervals import wilson
from slicefunc.driver.reports.dataset_page.waterfall import Thresholds, waterfall

from ..common.report import machine, table, write_result

REPOST = {
    "kept at 80 % of the branches": (7_415, 17_448),
    "kept at 100 % of the branches": (296, 1_043),
}
"""Functions kept and tried (arXiv 2503.07358): training set, evaluation set."""


def main(words: Sequence[str] | None = None) -> int:
    """Print the tables and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("dataset", metavar="DATASET")
    parser.add_argument("--of", metavar="LIST", type=Path, help="of the functions that count")
    parser.add_argument("--write", metavar="NAME", help="of the file among the results")
    arguments = parser.parse_args(words)
    dataset = open_built(arguments.dataset)
    functions, repositories = list(dataset.functions()), list(dataset.repositories())
    tried = [Tried(each.repo, each) for each in functions]
    if arguments.of:
        tried = chosen(functions, repositories, arguments.of.read_text().splitlines())
        names = {each.repo for each in tried}
        functions = [each.row for each in tried if each.row is not None]
        repositories = [each for each in repositories if each.repo in names]
    stages = waterfall(repositories, functions, Thresholds.of(dataset.manifest))
    result = {
        "waterfall": stages,
        "without a row": sum(each.row is None for each in tried),
        "shares": _shares(tried),
        "classes": _classes(tried, repositories),
        "reasons": _sorted(Counter(code for each in functions for code in each.reasons)),
        "repost": {name: _share(*counts) for name, counts in REPOST.items()},
        "machine": machine(),
    }
    print(_waterfall_table(stages))
    print(f"functions that count as tried and have no row: {result['without a row']}")
    print()
    print(table(["share of all functions tried", "", ""], _rows(result["shares"])))
    print(table(["RepoST, published", "", ""], _rows(result["repost"])))
    print()
    print(table(["class of repositories", "", ""], _rows(result["classes"])))
    print()
    print(table(["reason", "functions"], [[*each] for each in result["reasons"].items()]))
    if arguments.write:
        write_result(arguments.write, result)
    return 0


@dataclass(frozen=True, slots=True)
class Tried:
    """A function that counts, and what became of it."""

    repo: str
    row: FunctionRow | None

    def is_made(self) -> bool:
        """Whether it became an environment, be it one that repeats another."""
        return self.row is not None and bool(self.row.environment or self.row.duplicate_of)

    def takes_every_branch(self) -> bool:
        """Whether its cases do."""
        return self.row is not None and self.row.branches == 1


def chosen(
    functions: Sequence[FunctionRow], repositories: Sequence[RepositoryRow], lines: Sequence[str]
) -> list[Tried]:
    """Return the functions of a list whose repositories a build has tried.

    Args:
        functions: all that it made.
        repositories: all that it tried.
        lines: of the list, each `owner/name path::function`.
    """
    rows = {f"{each.repo} {each.path}::{each.qualname}": each for each in functions}
    names = {each.repo for each in repositories}
    return [
        Tried(repo, rows.get(line)) for line in lines if (repo := line.partition(" ")[0]) in names
    ]


def _shares(tried: Sequence[Tried]) -> dict[str, dict[str, Any]]:
    return {
        "environments": _share_by_repository(tried, Tried.is_made),
        "environments without duplicates": _share_by_repository(
            tried, lambda each: each.row is not None and bool(each.row.environment)
        ),
        "environments whose cases take every branch": _share_by_repository(
            tried, lambda each: each.is_made() and each.takes_every_branch()
        ),
        "every branch taken, whatever the other checks say": _share_by_repository(
            tried, Tried.takes_every_branch
        ),
    }


def _classes(
    tried: Sequence[Tried], repositories: Sequence[RepositoryRow]
) -> dict[str, dict[str, Any]]:
    """Return shares by what is known of the function's repository."""
    classes: tuple[Callable[[RepositoryRow], str], ...] = (
        lambda row: "has tests" if _known(row, "has_tests") else "no tests",
        _size,
        lambda row: "licence known" if row.licence else "no licence",
    )
    of_repo = {each.repo: each for each in repositories}
    found: dict[str, dict[str, Any]] = {}
    for of in classes:
        members: dict[str, list[Tried]] = {}
        for each in tried:
            members.setdefault(of(of_repo[each.repo]), []).append(each)
        found |= {
            name: _share_by_repository(members[name], Tried.is_made) for name in sorted(members)
        }
    return found


def _known(row: RepositoryRow, name: str) -> Any:  # noqa: ANN401 - whatever the list says
    """Return what `slice-func curate` has written of a repository, `None` if it has not."""
    listed: dict[str, Any] = json.loads(row.metadata)
    return {**listed, **listed.get("metadata", {})}.get(name)


def _size(row: RepositoryRow) -> str:
    lines = _known(row, "lines")
    if lines is None:
        return "lines not known"
    most = next((most for most in (1_000, 3_000, 10_000) if lines <= most), None)
    return f"at most {most:,} lines of Python" if most else "more lines of Python"


def _share(part: int, whole: int) -> dict[str, Any]:
    return {"part": part, "of": whole, "interval": wilson(part, whole)}


def _share_by_repository(tried: Sequence[Tried], has_it: Callable[[Tried], bool]) -> dict[str, Any]:
    counts: dict[str, tuple[int, int]] = {}
    for each in tried:
        part, whole = counts.get(each.repo, (0, 0))
        counts[each.repo] = part + has_it(each), whole + 1
    part, whole = _total(counts.values())
    interval = bootstrap(sorted(counts.values()))
    return {"part": part, "of": whole, "repositories": len(counts), "interval": interval}


def bootstrap(counts: Sequence[tuple[int, int]], draws: int = 10_000) -> tuple[float, float] | None:
    """Return the 95 % interval of a share, where whole groups were drawn.

    Args:
        counts: of each group, how many of its members count, and how many it has (at least one).
        draws: how often as many groups are drawn, with replacement.

    Returns:
        Two numbers of 0 to 1, or `None` with fewer than two groups, which say nothing of others.
    """
    if len(counts) < 2:
        return None
    chance = random.Random(0)
    totals = (_total(chance.choices(counts, k=len(counts))) for _ in range(draws))
    shares = sorted(part / whole for part, whole in totals)
    return shares[round(0.025 * (draws - 1))], shares[round(0.975 * (draws - 1))]


def _total(counts: Iterable[tuple[int, int]]) -> tuple[int, int]:
    parts, wholes = zip(*counts, strict=True)
    return sum(parts), sum(wholes)


def _rows(shares: Mapping[str, Mapping[str, Any]]) -> list[list[object]]:
    return [[name, _counts(each), _percent(each)] for name, each in shares.items()]


def _counts(share: Mapping[str, Any]) -> str:
    of = f" in {share['repositories']} repositories" if "repositories" in share else ""
    return f"{share['part']} of {share['of']}{of}"


def _percent(share: Mapping[str, Any]) -> str:
    value = f"{100 * share['part'] / share['of']:.1f} %"
    if share["interval"] is None:
        return value
    low, high = share["interval"]
    return f"{value} ({100 * low:.1f} to {100 * high:.1f})"


def _waterfall_table(stages: Sequence[Mapping[str, Any]]) -> str:
    names = list(dict.fromkeys(name for stage in stages for name in stage))
    rows = [[_cell(stage.get(name, "")) for name in names] for stage in stages]
    return table(names, rows)


def _cell(value: Any) -> object:  # noqa: ANN401 - a number, words, or losses by reason
    return ", ".join(f"{name} {count}" for name, count in value) if type(value) is list else value


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))


if __name__ == "__main__":
    raise SystemExit(main())
