"""The report of a run's rewards as tables, each number with its denominator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...evaluation.tables.table import Table

_GROUP = ("environments", "scored", "mean reward", "95 %")
_LONGEST = 100
"""Characters of a cell."""


def tables_of(report: dict[str, Any]) -> list[Table]:
    """Return the tables of a report, in the order in which they are read."""
    return [
        *_strength(report["strength"]),
        *(_fresh(report["fresh"]) if report["fresh"] else ()),
        *(_drift(report["drift"]) if report["drift"] else ()),
        _duplicates(report["duplicates"]),
        _lengths(report["lengths"]),
        *([_tenths(report["tenths"])] if report["tenths"] else ()),
    ]


def report_text(report: dict[str, Any]) -> str:
    """Return the report for a terminal."""
    head = [
        f"{report['run']}: {report['candidates']:,} candidates for "
        f"{report['environments']:,} environments",
        *(f"note: {note}" for note in report["notes"]),
    ]
    return "\n".join(["\n".join(head) + "\n", *(t.render("text") for t in tables_of(report))])


def _strength(strength: dict[str, Any]) -> list[Table]:
    unknown = strength["without_verdict"]
    left_out = f" ({unknown} without a verdict are left out)" if unknown else ""
    everything = {"group": "all", **strength["all"]}
    return [
        _rewards(f"Reward{left_out}, by share of unseen mutants that the cases kill",
                 "unseen kill rate", [*strength["by_unseen_kill_rate"], everything]),
        _rewards("Reward by number of hidden cases", "hidden cases",
                 [*strength["by_hidden_cases"], everything]),
    ]  # fmt: skip


def _rewards(title: str, label: str, groups: Sequence[dict[str, Any]]) -> Table:
    return Table(title, (label, *_GROUP), tuple((str(g["group"]), *_reward(g)) for g in groups))


def _reward(group: dict[str, Any]) -> tuple[str, ...]:
    return (
        str(group["environments"]), str(group["scored"]), _number(group["reward"]),
        _interval(group["interval"]),
    )  # fmt: skip


def _fresh(fresh: dict[str, Any]) -> list[Table]:
    rows = [
        ("distinct passing candidates", str(fresh["distinct_passing"])),
        ("asked", f"{fresh['asked']} of {fresh['distinct_passing']}"),
        ("refuted", _share(fresh["refuted"], fresh["answered"], fresh["interval"])),
        ("not answered", f"{fresh['not_answered']} of {fresh['asked']}"),
        *((f"  {_cut(why)}", str(count)) for why, count in fresh["why"].items()),
    ]
    found = [Table("Passing candidates on fresh inputs", ("", "candidates"), tuple(rows))]
    if fresh["first"]:
        rows = [
            (
                _place(each), str(each["sample"]), _cut(each["where"] or each["reason"]),
                _cut(each["expected"]), _cut(each["observed"]), _call(each["input"]),
            )
            for each in fresh["first"]
        ]  # fmt: skip
        heads = ("function", "sample", "where", "original", "candidate", "input")
        found.append(Table("First refuted candidates", heads, tuple(rows)))
    return found


def _drift(drift: dict[str, Any]) -> list[Table]:
    rows = [
        ("candidates with a verdict", str(drift["candidates"])),
        ("scored again", f"{drift['scored']} of {drift['asked']} asked"),
        ("another reward", _share(drift["rewards_differ"], drift["scored"], drift["interval"])),
        ("another verdict", _share(drift["verdicts_differ"], drift["scored"])),
        *((f"  {change}", str(count)) for change, count in drift["changes"].items()),
        *((f"  not scored: {_cut(why)}", str(count)) for why, count in drift["why"].items()),
    ]
    found = [Table("Verdicts, scored again", ("", "candidates"), tuple(rows))]
    if drift["first"]:
        rows = [
            (_place(e), str(e["sample"]), e["recorded"], e["now"], _cut(e["reason"]))
            for e in drift["first"]
        ]
        heads = ("function", "sample", "recorded", "now", "reason")
        found.append(Table("First verdicts that differ", heads, tuple(rows)))
    return found


def _duplicates(found: dict[str, Any]) -> Table:
    rows = (
        ("distinct trees", f"{found['distinct']} of {found['candidates']}"),
        ("same tree as another", _share(found["like_another"], found["candidates"])),
        ("same tree as the original", _share(found["like_original"], found["with_original"])),
    )
    return Table("Duplicates within an environment", ("", "candidates"), rows)


def _lengths(found: dict[str, Any]) -> Table:
    rows = tuple(
        (
            kind,
            str(found[kind]["number"]),
            _plain(found[kind]["median"]),
            _plain(found[kind]["p90"]),
        )
        for kind in ("passing", "failing", "original")
    )
    return Table("Characters of code", ("code", "number", "median", "p90"), rows)


def _tenths(tenths: Sequence[dict[str, Any]]) -> Table:
    rows = tuple(
        (
            str(at), str(each["candidates"]), *_reward(each)[1:],
            _share(each["refuted"], each["asked"]), _plain(each["median_characters"]),
        )
        for at, each in enumerate(tenths, start=1)
    )  # fmt: skip
    heads = ("tenth", "candidates", *_GROUP[1:], "refuted", "median characters")
    return Table("In the order of time", heads, rows)


def _share(part: int, whole: int, interval: Sequence[float] | None = None) -> str:
    if not whole:
        return "0 of 0"
    text = f"{part} of {whole} ({100 * part / whole:.1f} %)"
    return f"{text}, 95 %: {_interval(interval)}" if interval else text


def _interval(interval: Sequence[float] | None) -> str:
    return "-" if interval is None else f"{interval[0]:.3f} to {interval[1]:.3f}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _plain(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


def _place(each: dict[str, Any]) -> str:
    return each["function"] or each["environment"][:12]


def _call(code: str) -> str:
    """Return the last line of a case: its call of the target."""
    lines = code.strip().splitlines()
    return _cut(lines[-1].strip().removeprefix("return ")) if lines else ""


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
