"""Tables of the page: what their columns hold, and how groups of functions are counted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["text", "count", "share", "seconds", "environment"]
SIZES = (10, 20, 50, 100, 200, 500, 1000)
"""Upper limits of the groups by lines."""
SHORT = 300
"""Maximum number of characters of a cell."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    label: str
    kind: Kind = "text"
    """How its values are shown and sorted; `environment` is the index of an environment's row."""


def table(columns: Sequence[Column], rows: Iterable[Sequence[object]]) -> dict[str, Any]:
    """Return a table as JSON values."""
    return {
        "columns": [[each.label, each.kind] for each in columns],
        "rows": [[_cell(value) for value in row] for row in rows],
    }


def yields(label: str, names: Iterable[tuple[str, bool]]) -> dict[str, Any]:
    """Return a table of groups with their functions, their environments and the share.

    Args:
        label: what the groups are.
        names: for each function its group, and whether it became an environment.
    """
    groups: defaultdict[str, list[bool]] = defaultdict(list)
    for name, is_made in names:
        groups[name].append(is_made)
    columns = (Column(label), *yield_columns())
    return table(columns, ((name, *yield_of(found)) for name, found in groups.items()))


def yield_columns() -> tuple[Column, ...]:
    """Return the columns of `yield_of`."""
    return (Column("functions", "count"), Column("environments", "count"), Column("yield", "share"))


def yield_of(made: Sequence[bool]) -> tuple[int, int, float | None]:
    """Return how many functions there are, how many became environments, and the share."""
    return len(made), sum(made), round(sum(made) / len(made), 6) if made else None


def size_of(lines: int) -> str:
    """Return the group of a number of lines; names of groups sort as numbers do."""
    lower = 1
    for upper in SIZES:
        if lines <= upper:
            return f"{lower:,} to {upper:,}"
        lower = upper + 1
    return f"over {SIZES[-1]:,}"


def in_size_order(groups: dict[str, Any]) -> dict[str, Any]:
    """Return a table of `size_of` groups with the small ones first."""
    names = [size_of(upper) for upper in (*SIZES, SIZES[-1] + 1)]
    key: Callable[[list[Any]], int] = lambda row: names.index(row[0])  # noqa: E731
    return {**groups, "rows": sorted(groups["rows"], key=key)}


def _cell(value: object) -> object:
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, str) and len(value) > SHORT:
        return value[:SHORT] + "…"
    return value
