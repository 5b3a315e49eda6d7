"""One package's records, counted; and the tables that are made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ..common.report import median, normalised, percentile, share, table
from ..sources.sdist import Sdist

Record = dict[str, Any]
"""One JSON object: its shape is what `packages._record` writes."""

EXAMPLES = 5


def summarise(sdist: Sdist, records: Sequence[Record]) -> Record:
    """Everything that is reported of one package, as plain JSON values."""
    good = [record for record in records if "error" not in record]
    tried = [record for record in good if "import" in record]
    failed = [record for record in tried if not record["import"]["ok"]]
    excluded = [record for record in failed if not record["import"]["own_module"]]
    counted = [record for record in failed if record["import"]["own_module"]]
    different = [text for record in good for text in record["identity"]["different"]]
    return {
        "name": sdist.name,
        "version": sdist.version,
        "tried": len(records),
        "sliced": len(good),
        "slice_failures": _by_reason(
            (record, record["error"], record["message"]) for record in records if "error" in record
        ),
        "imports": {
            "tried": len(tried),
            "ok": len(tried) - len(failed),
            "own_module_fails": len(excluded),
            "misnamed": _names(
                r for r in tried if r["import"].get("own_name") is False and r["import"]["ok"]
            ),
            "printed": sum(bool(record["import"]["printed"]) for record in tried),
        },
        "import_failures": _import_reasons(counted),
        "import_excluded": _by_reason((r, "", r["import"]["own_error"]) for r in excluded),
        "identity": {
            "targets": sum(record["identity"]["target"] for record in good),
            "targets_different": _names(r for r in good if not r["identity"]["target"]),
            "kept": sum(record["identity"]["kept"] for record in good),
            "identical": sum(record["identity"]["identical"] for record in good),
            "edited": sum(record["identity"]["edited"] for record in good),
            "different": [
                {"what": text, "slices": count}
                for text, count in Counter(different).most_common(EXAMPLES)
            ],
            "trees": sum(record["trees"] for record in good),
        },
        "definitions": _spread([sum(record["kinds"].values()) for record in good]),
        "functions_kept": _spread([_functions(record) for record in good]),
        "lines": _spread([record["lines"] for record in good]),
        "milliseconds": _spread([1000 * record["seconds"] for record in records]),
        "seconds": round(sum(record["seconds"] for record in records), 2),
        "peak_mb": max((record["peak_mb"] for record in records), default=0.0),
        "layouts": dict(Counter(record["layout"] for record in good)),
        "gaps": dict(sum((Counter(record["gaps"]) for record in good), Counter()).most_common()),
        "edits": sum(record["edits"] for record in good),
    }


def goals_missed(summaries: Sequence[Record]) -> list[str]:
    """The promises that a run shows to be broken, one line each."""
    missed: list[str] = []
    for one in summaries:
        if one["sliced"] < one["tried"]:
            missed.append(f"{one['name']}: sliced {share(one['sliced'], one['tried'])}")
        if one["not_listed"]:
            missed.append(f"{one['name']}: {len(one['not_listed'])} functions are not listed")
        if one["identity"]["targets"] < one["sliced"]:
            text = share(one["identity"]["targets"], one["sliced"])
            missed.append(f"{one['name']}: targets identical {text}")
    imports = sum(one["imports"]["ok"] for one in summaries)
    tried = sum(one["imports"]["tried"] - one["imports"]["own_module_fails"] for one in summaries)
    if imports < 0.995 * tried:
        missed.append(f"imports: {share(imports, tried)}, the goal is 99.5 %")
    missed += [
        f"{one['name']}: not under its own module name: {name}"
        for one in summaries
        for name in one["imports"]["misnamed"]
    ]
    kept = sum(one["identity"]["kept"] for one in summaries)
    same = sum(one["identity"]["identical"] for one in summaries)
    if same < 0.999 * kept:
        missed.append(f"definitions identical: {share(same, kept)}, the goal is 99.9 %")
    return missed


def markdown(summaries: Sequence[Record]) -> str:
    """Tables for people: results, sizes and costs, then what failed by reason."""
    parts = [_results(summaries), _costs(summaries)]
    for title, key in (
        ("Slices that failed", "slice_failures"),
        ("Scripts that do not import although their own module does", "import_failures"),
        ("Left out, because their own module does not import there either", "import_excluded"),
    ):
        rows = [
            (one["name"], entry["count"], entry["reason"], f"`{entry['examples'][0]}`")
            for one in summaries
            for entry in one[key]
        ]
        if rows:
            head = ("package", "targets", "reason", "example")
            parts.append(f"**{title}**\n\n{table(head, rows)}")
    rows = [
        (one["name"], entry["slices"], f"`{entry['what']}`")
        for one in summaries
        for entry in one["identity"]["different"]
    ]
    if rows:
        head = ("package", "slices", "definition")
        parts.append(f"**Kept definitions that differ from the source**\n\n{table(head, rows)}")
    return "\n\n".join(parts)


def _results(summaries: Sequence[Record]) -> str:
    head = (
        *("package", "functions", "sliced", "scripts that import", "targets identical"),
        *("kept definitions identical", "listed edits"),
    )
    rows = [
        (
            f"{one['name']} {one['version']}",
            one["functions"],
            share(one["sliced"], one["tried"]),
            share(
                one["imports"]["ok"],
                one["imports"]["tried"] - one["imports"]["own_module_fails"],
            ),
            share(one["identity"]["targets"], one["sliced"]),
            share(one["identity"]["identical"], one["identity"]["kept"]),
            one["identity"]["edited"],
        )
        for one in summaries
    ]
    return table(head, rows)


def _costs(summaries: Sequence[Record]) -> str:
    head = (
        *("package", "functions kept, median / p95", "definitions", "lines of script"),
        *("ms a target, median / p95", "CPU s in all", "peak MB", "layouts", "gaps"),
    )
    rows = [
        (
            one["name"],
            *(_pair(one[key]) for key in ("functions_kept", "definitions", "lines")),
            _pair(one["milliseconds"]),
            one["seconds"],
            one["peak_mb"],
            ", ".join(f"{name} {count}" for name, count in sorted(one["layouts"].items())),
            sum(one["gaps"].values()),
        )
        for one in summaries
    ]
    return table(head, rows)


def _pair(spread: Record) -> str:
    return f"{spread['median']:g} / {spread['p95']:g}"


def _spread(values: Sequence[float]) -> Record:
    return {
        "median": round(median(values), 2),
        "p95": round(percentile(values, 95), 2),
        "max": round(max(values, default=0), 2),
    }


def _functions(record: Record) -> int:
    return record["kinds"].get("function", 0) + record["kinds"].get("method", 0)


def _names(records: Iterable[Record]) -> list[str]:
    return [f"{record['path']}::{record['qualname']}" for record in records][:EXAMPLES]


def _import_reasons(records: Iterable[Record]) -> list[Record]:
    return _by_reason((r, r["import"]["error"], r["import"]["message"]) for r in records)


def _by_reason(failures: Iterable[tuple[Record, str, str]]) -> list[Record]:
    """Failures counted by normalised reason, the most frequent first, with examples."""
    groups: dict[str, list[tuple[Record, str]]] = {}
    for record, error, message in failures:
        reason = normalised(error, message).removeprefix(": ")
        groups.setdefault(reason, []).append((record, message))
    ordered = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    return [
        {
            "reason": reason,
            "count": len(members),
            "examples": _names(record for record, _ in members),
            "message": members[0][1][:300],
        }
        for reason, members in ordered
    ]
