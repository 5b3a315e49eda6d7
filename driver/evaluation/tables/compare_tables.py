"""The tables of `slice-func eval compare`: runs, differences, strata, rounds of repair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .table import Table

_MEASURES = (
    ("test_rate", "Test Rate"),
    ("exact_match", "exact match"),
    ("edit_similarity", "edit similarity"),
    ("codebleu", "CodeBLEU"),
)


def compare_tables(found: Mapping[str, Any], by: Sequence[str]) -> Iterator[Table]:
    """Yield the tables of a comparison.

    Args:
        found: what `comparison` returns.
        by: names of strata to show.
    """
    runs: list[dict[str, Any]] = found["runs"]
    ks = sorted({int(k) for run in runs for k in run["measures"]["pass_at"]})
    yield _runs(runs, ks)
    if found["pairs"]:
        yield _pairs(found["pairs"])
    for name in by:
        yield _strata(runs, name, ks[0] if ks else 1)
    rounds = [run for run in runs if len(run["measures"]["rounds"]) > 1]
    if rounds:
        yield _rounds(rounds)


def _runs(runs: Sequence[Mapping[str, Any]], ks: Sequence[int]) -> Table:
    heads = (
        "run",
        "environments",
        *(f"Pass@{k}" for k in ks),
        *(label for _, label in _MEASURES),
        "tokens in",
        "tokens out",
        "USD",
        "seconds",
    )
    rows = tuple(_run_row(run, ks) for run in runs)
    title = "Runs, with 95 % intervals: over repositories, or over environments of a single one"
    return Table(title, heads, rows)


def _run_row(run: Mapping[str, Any], ks: Sequence[int]) -> tuple[str, ...]:
    measures = run["measures"]
    return (
        run["label"],
        str(measures["environments"]),
        *(shown_measure(measures["pass_at"].get(str(k))) for k in ks),
        *(percent(measures[name]) for name, _ in _MEASURES),
        f"{measures['input_tokens']:,}",
        f"{measures['output_tokens']:,}",
        f"{measures['cost']:.2f}",
        f"{measures['seconds']['mean']:.2f}",
    )


def _pairs(pairs: Sequence[Mapping[str, Any]]) -> Table:
    rows = tuple(
        (
            f"{each['second']} vs {each['first']}",
            f"Pass@{each['k']}",
            str(each["environments"]),
            *(_difference(each) if each["environments"] else ("nothing shared", "", "-", "-")),
        )
        for each in pairs
    )
    heads = ("difference", "of", "environments", "points", "interval", "gained / lost", "McNemar p")
    return Table("Paired differences", heads, rows)


def _difference(pair: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        f"{100 * pair['difference']:+.1f}",
        _span(pair["interval"]),
        f"{pair['gained']} / {pair['lost']}",
        f"{pair['mcnemar_p']:.3g}",
    )


def _strata(runs: Sequence[Mapping[str, Any]], name: str, k: int) -> Table:
    labels = sorted({label for run in runs for label in run["measures"]["strata"][name]})
    rows: list[tuple[str, ...]] = []
    for label in labels:
        parts = [run["measures"]["strata"][name].get(label) for run in runs]
        count = max(part["environments"] for part in parts if part)
        cells = (shown_measure(part and part["pass_at"].get(str(k))) for part in parts)
        rows.append((label, str(count), *cells))
    heads = (name, "environments", *(run["label"] for run in runs))
    return Table(f"Pass@{k} by {name}", heads, tuple(rows))


def _rounds(runs: Sequence[Mapping[str, Any]]) -> Table:
    most = max(len(run["measures"]["rounds"]) for run in runs)
    rows: list[tuple[str, ...]] = []
    for run in runs:
        rates: list[float] = run["measures"]["rounds"]
        whole = [*rates, *([rates[-1]] * (most - len(rates)))]
        gains = [
            percent(whole[0]),
            *(f"{percent(x)} ({100 * (x - whole[0]):+.1f})" for x in whole[1:]),
        ]
        rows.append((run["label"], *gains))
    heads = ("run", "first try", *(f"round {number}" for number in range(1, most)))
    return Table("Share of samples that pass, by round, with the gain", heads, tuple(rows))


def shown_measure(measure: Mapping[str, Any] | None) -> str:
    """Return a share with its interval over repositories, or else over environments."""
    if not measure:
        return "-"
    return (
        f"{percent(measure['value'])} {_span(measure['repositories'] or measure['items'])}".rstrip()
    )


def percent(share: float) -> str:
    """Return a share in per cent."""
    return f"{100 * share:.1f}"


def _span(interval: Sequence[float] | None) -> str:
    return f"({100 * interval[0]:.1f} to {100 * interval[1]:.1f})" if interval else ""
