"""The report of an audit as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .questions import QUESTIONS

_CHECKED = {"same_function": "same function", "tests_right": "tests are right"}


def report_lines(found: dict[str, Any]) -> Iterator[str]:
    """Yield the report, line by line."""
    people: dict[str, int] = found["people"]
    named = ", ".join(f"{person} ({count})" for person, count in people.items())
    yield (
        f"{found['items']} items, {found['altered']} with an altered slice, "
        f"{found['altered_tests']} with an altered test"
    )
    yield f"people (items answered): {named or 'none'}"
    yield ""
    yield "answers"
    for question in QUESTIONS:
        counts: dict[str, int] = found["answers"][question.name]
        yield f"  {question.name}: {', '.join(f'{name} {n}' for name, n in counts.items())}"
    yield ""
    yield "agreement between people"
    for name, about in found["between_people"].items():
        yield from _between(name, about)
    yield ""
    yield "agreement with our checks (without unsure)"
    for name, about in found["with_checks"].items():
        rows = {**about["people"], "majority": about["majority"]}
        for person, row in rows.items():
            differ = f"; differ: {', '.join(row['differ'])}" if row["differ"] else ""
            yield f"  {_CHECKED[name]}, {person}: {_share(row)}, kappa {_kappa(row)}{differ}"
    altered = found["altered_slices"]
    yield f"  altered slices that were noticed: {_share(altered['noticed'])}"
    yield f"  others that were taken as the same: {_share(altered['others_taken_as_same'])}"
    yield f"  altered tests that were noticed: {_share(found['altered_tests_noticed'])}"
    yield ""
    yield "could be solved, in people's opinion"
    yield from _rates(found["could_solve"])
    if found["solved"] is not None:
        yield ""
        yield "solved: written solutions that pass"
        yield from _rates(found["solved"])


def _between(name: str, about: dict[str, Any]) -> Iterator[str]:
    weights = f" ({about['weights']} weights)" if about["weights"] else ""
    for pair in about["pairs"]:
        who = " and ".join(pair["people"])
        yield f"  {name}, {who}: {_share(pair)}, Cohen's kappa{weights} {_kappa(pair)}"
    people, items, kappa = (about[f"fleiss_{each}"] for each in ("people", "items", "kappa"))
    if people > 1:
        told = "undefined" if kappa is None else f"{kappa:.2f}"
        yield f"  {name}, all {people} on {items} items: Fleiss' kappa {told}"
    else:
        yield f"  {name}: fewer than two people have answered"


def _rates(about: dict[str, Any]) -> Iterator[str]:
    yield f"  all: {_share(about['all'])}"
    for kind in ("people", "difficulty"):
        for name, row in about[kind].items():
            yield f"  {name}: {_share(row)}"


def _share(row: dict[str, Any]) -> str:
    if not row["of"]:
        return "0 of 0"
    low, high = row["interval"]
    return (
        f"{row['count']} of {row['of']} ({100 * row['share']:.1f} %, "
        f"95 % interval {100 * low:.1f} to {100 * high:.1f} %)"
    )


def _kappa(row: dict[str, Any]) -> str:
    return "undefined" if row["cohen_kappa"] is None else f"{row['cohen_kappa']:.2f}"
