"""What fell and why: as JSON, and as lines for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from .function import Fallen, Function, Options, Verdicts

_SHOWN = 20
_RULES = {
    "exact": "the same syntax tree",
    "near": "similar tokens",
    "renamed": "similar syntax trees, but for names of variables",
    "part": "a part of a reference",
    "repository": "the repository of a reference",
}
_BETWEEN = {
    "reference": "a reference set",
    "train-eval": "an evaluation function",
    "eval": "another evaluation function",
    "train": "another training function",
}


def duplicate_report(
    functions: Sequence[Function], verdicts: Verdicts, options: Options
) -> dict[str, Any]:
    """Return the report of `find_duplicates` as JSON values."""
    known = {each.id: each for each in functions}
    other = [known.get(each.resembles) for each in verdicts.fallen]
    places = Counter(
        "within" if known[fallen.id].repo == other.repo else "across"
        for fallen, other in zip(verdicts.fallen, other, strict=True)
        if other is not None
    )
    return {
        "options": asdict(options),
        "functions": len(functions),
        "kept": _counts(split for _, split in verdicts.kept),
        "fallen": len(verdicts.fallen),
        "rules": _counts(each.rule for each in verdicts.fallen),
        "between": _counts(each.between for each in verdicts.fallen),
        "repositories": dict(sorted(places.items())),
        "rows": [_row(each, known) for each in verdicts.fallen],
    }


def _counts(values: Iterator[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))


def _row(fallen: Fallen, known: Mapping[str, Function]) -> dict[str, Any]:
    other = known.get(fallen.resembles)
    return {
        **asdict(fallen),
        **_place(known[fallen.id]),
        "other": _place(other) if other else None,
    }


def _place(function: Function) -> dict[str, str]:
    return {"repo": function.repo, "path": function.path, "qualname": function.qualname}


def report_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield the report in lines, with the first rows of what fell."""
    kept = ", ".join(f"{number:,} {split}" for split, number in report["kept"].items())
    fallen = f"{report['fallen']:,} left out"
    yield f"{report['functions']:,} functions, {fallen}; kept: {kept or 'none'}"
    for rule, words in _RULES.items():
        if number := report["rules"].get(rule):
            yield f"  {number:>7,}  {rule}: {words}"
    for between, words in _BETWEEN.items():
        if number := report["between"].get(between):
            yield f"  {number:>7,}  resemble {words}"
    for row in report["rows"][:_SHOWN]:
        other = row["other"]
        resembles = _shown(other) if other else row["resembles"]
        yield f"{_shown(row)}: {row['rule']} {row['similarity']:.2f} {resembles}"
    if len(report["rows"]) > _SHOWN:
        yield f"and {len(report['rows']) - _SHOWN:,} more"


def _shown(row: Mapping[str, str]) -> str:
    return f"{row['repo']} {row['path']}::{row['qualname']}"
