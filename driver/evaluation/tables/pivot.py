"""One measure of many runs with a setting as rows and another as columns, as papers print it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....slicer.errors import OptionError
from .compare_tables import percent, shown_measure
from .comparison import SETTINGS
from .table import Table

_SHARES = ("test_rate", "exact_match", "edit_similarity", "codebleu")
_COUNTS = ("input_tokens", "output_tokens", "requests")


def pivot_table(runs: Sequence[Mapping[str, Any]], rows: str, columns: str, measure: str) -> Table:
    """Return the table.

    Args:
        runs: the runs of a comparison.
        rows: name of a setting.
        columns: name of another.
        measure: `pass@K`, or the name of another measure.

    Raises:
        OptionError: two runs belong in one cell, or there is no such measure.
    """
    cells: dict[tuple[str, str], Mapping[str, Any]] = {}
    for run in runs:
        place = _value(run, rows), _value(run, columns)
        other = cells.setdefault(place, run)
        if other is not run:
            raise OptionError(
                f"{other['location']} and {run['location']} have the same {rows} and {columns}",
                f"leave one out; they differ in {_differing(other, run) or 'nothing but samples'}",
            )
    names = list(dict.fromkeys(row for row, _ in cells))
    heads = list(dict.fromkeys(column for _, column in cells))
    body = tuple(
        (name, *(_shown(cells.get((name, head)), measure) for head in heads)) for name in names
    )
    return Table(f"{measure} by {rows} and {columns}", (rows, *heads), body)


def _value(run: Mapping[str, Any], name: str) -> str:
    return str(run["settings"].get(name))


def _differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    return ", ".join(name for name in SETTINGS if _value(one, name) != _value(other, name))


def _shown(run: Mapping[str, Any] | None, measure: str) -> str:
    if run is None:
        return "-"
    measures = run["measures"]
    kind, _, k = measure.partition("@")
    if kind == "pass" and k.isdecimal():
        return shown_measure(measures["pass_at"].get(k))
    if measure in _SHARES:
        return percent(measures[measure])
    if measure in _COUNTS:
        return f"{measures[measure]:,}"
    if measure == "cost":
        return f"{measures['cost']:.2f}"
    if measure == "seconds":
        return f"{measures['seconds']['mean']:.2f}"
    known = ", ".join(("pass@K", *_SHARES, *_COUNTS, "cost", "seconds"))
    raise OptionError(f"{measure}: no measure", f"name one of {known}")
