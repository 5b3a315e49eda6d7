"""Ways to split a dataset: which part each row of its three tables goes to."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

from ....slicer.errors import OptionError
from ..storage.columns import EnvironmentRow, FunctionRow, RepositoryRow
from ..storage.dataset import Dataset

Row = EnvironmentRow | FunctionRow | RepositoryRow
PartOf = Callable[[Row], str]
"""Returns the name of the part that a row goes to, fit for a folder."""

NO_ENVIRONMENTS = "no-environments"
"""Part for functions and repositories whose value of the column no environment has."""
_NAME = re.compile(r"[^\w.-]+")
_PLACES = 2**64


def by_column(dataset: Dataset, column: str) -> PartOf:
    """Return the split into a part for each value that environments have in a column.

    A function goes with its environment. One that became none has the value of its own row or of
    its repository's.
    """
    environments: dict[str, str] = {}
    names: dict[tuple[str, str | None], str] = {}
    for repository in dataset.repositories():
        names[repository.repo, repository.commit] = _name(getattr(repository, column))
    for row in dataset.rows():
        name = environments[row.id] = _name(getattr(row, column))
        names[row.repo, row.commit] = name
    known = frozenset(environments.values())

    def part_of(row: Row) -> str:
        if isinstance(row, FunctionRow) and row.environment in environments:
            return environments[row.environment]
        if hasattr(row, column):
            name = _name(getattr(row, column))
        else:
            name = names.get((row.repo, row.commit), NO_ENVIRONMENTS)
        return name if name in known else NO_ENVIRONMENTS

    return part_of


def by_fraction(dataset: Dataset, fraction: float, seed: int) -> PartOf:
    """Return the split into `train` and `eval`, each with one repository or more.

    The name of a repository and the seed give its place from 0 to 1, and places below the fraction
    evaluate; so a repository stays where it is when others join. Only if a part were empty, the
    repository with environments whose place is next to the fraction goes there.

    Raises:
        OptionError: fewer than two repositories have environments.
    """

    def place_of(repo: str) -> int:
        digest = hashlib.sha256(f"{seed}\0{repo}".encode("utf-8", "surrogateescape")).digest()
        return int.from_bytes(digest[:8], "big")

    places = sorted({place_of(row.repo) for row in dataset.rows()})
    if len(places) < 2:
        raise OptionError(
            f"{dataset.location}: fewer than two repositories have environments, "
            "so one part would be empty",
            "add repositories, or split it with --by",
        )
    bound = min(max(int(fraction * _PLACES), places[0] + 1), places[-1])
    return lambda row: "eval" if place_of(row.repo) < bound else "train"


def part_names(dataset: Dataset, part_of: PartOf) -> list[str]:
    """Return the names of all parts that get a row."""
    names = {part_of(row) for row in dataset.rows()}
    names.update(map(part_of, dataset.functions()))
    names.update(map(part_of, dataset.repositories()))
    return sorted(names)


def _name(value: str | None) -> str:
    return _NAME.sub("-", value or "unknown").strip(".-") or "other"
