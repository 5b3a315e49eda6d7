"""How large slices are, and on which one reason most of each hangs.

python -m benchmarks.slices.hubs.hubs                      forty functions of each of five packages;
resumable
python -m benchmarks.slices.hubs.hubs --short              three functions of each, drawn with a
seed
python -m benchmarks.slices.hubs.hubs --code DIR           with the slicer of another checkout
python -m benchmarks.slices.hubs.hubs --against FILE       beside what `--json` wrote at another
state
python -m benchmarks.slices.hubs.hubs --draw               write the list of functions anew

The functions stand in `hub_functions.txt`. The dominating edge of a slice is the reason without
which the most definitions would fall away. Edges are ranked by kind: what asks, why, for what.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...common.records import opened
from ...common.report import (
    ROOT,
    Progress,
    digest_of,
    machine,
    median,
    percentile,
    table,
    write_result,
)
from ...sources.functions import functions_of, sample
from ...sources.sdists import DEFAULT_WORK, fetch_sdist, sdist_named
from ...sources.sdists_hubs import HUBS
from .hub_worker import rows_of

PACKAGES = tuple(sdist.name for sdist in HUBS)
LISTED = Path(__file__).with_name("hub_functions.txt")
DRAWN, SEED, SHORT = 40, 0, 3
SECONDS = 240.0
"""CPU time after which a function is given up."""
_WORTH = 10
"""Definitions that must fall away for an edge to count as dominating."""
Row = dict[str, Any]


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    given = _arguments().parse_args(argv)
    work = given.work.resolve()
    if given.draw:
        LISTED.write_text(drawn(work), encoding="utf-8")
    listed = listed_functions(LISTED.read_text(encoding="utf-8"))
    found: dict[str, list[Row]] = {}
    for package in given.package or PACKAGES:
        targets = sample(listed[package], SHORT if given.short else None, f"{SEED}:{package}")
        found[package] = measured(package, targets, given.code.resolve(), given.seconds, work)
    summary = {name: summarised(rows) for name, rows in found.items()}
    result = {"packages": summary, "kinds": ranked(found), **machine(), "rows": found}
    if given.write:
        write_result(given.write, result)
    before: Row = {}
    if given.against:
        before = json.loads(given.against.read_text(encoding="utf-8"))
    print(json.dumps(result, indent=1) if given.json else markdown(result, before))
    return 0


def drawn(work: Path) -> str:
    """The list: a package and a function a line, drawn with a seed among those outside of tests."""
    lines: list[str] = []
    for package in PACKAGES:
        functions = functions_of(sdist_named(package), fetch_sdist(package, work))
        chosen = sample(functions, DRAWN, f"{SEED}:{package}")
        lines += [f"{package} {path}::{qualname}" for path, qualname in chosen]
    return "\n".join(lines) + "\n"


def listed_functions(text: str) -> dict[str, list[str]]:
    """The functions of each package that a list names."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        package, _, target = line.partition(" ")
        found.setdefault(package, []).append(target)
    return found


def measured(
    package: str, targets: Sequence[str], code: Path, seconds: float, work: Path
) -> list[Row]:
    """A row for each function, going on where an earlier run of the same code stopped."""
    state = digest_of(
        "slicer",
        "driver/explanations/reason_hubs.py",
        "benchmarks/slices/hubs/hub_children",
        root=code,
    )
    with opened(work / "runs" / f"{state}-hubs" / f"{package}.jsonl") as records:
        done = {row["target"]: row for row in records.found}
        left = [target for target in targets if target not in done]
        progress = Progress(package, len(targets))
        progress.advance(len(targets) - len(left))
        made = rows_of(code, fetch_sdist(package, work), left, seconds) if left else ()
        for target, row in zip(left, made, strict=True):
            done[target] = {"target": target, **row}
            records.add(done[target])
            progress.advance()
    return [done[target] for target in targets]


def summarised(rows: Sequence[Row]) -> Row:
    """Sizes of the slices of one package, and what was not sliced with its reason."""
    sliced = [row for row in rows if "lines" in row]
    lines = [row["lines"] for row in sliced]
    return {
        "functions": len(rows),
        "sliced": len(sliced),
        "lines": median(lines),
        "lines_p90": percentile(lines, 90),
        "definitions": median([row["definitions"] for row in sliced]),
        "seconds": round(sum(row["seconds"] for row in sliced), 1),
        "why_not": {row["target"]: row["why_not"] for row in rows if "why_not" in row},
    }


def ranked(found: Mapping[str, Sequence[Row]]) -> list[Row]:
    """Kinds of dominating edges, those first on which the most definitions hang."""
    kinds: dict[str, Row] = {}
    for package, rows in found.items():
        for row in rows:
            hub = next(iter(row.get("hubs", ())), None)
            if hub is None or hub["falls"] < _WORTH:
                continue
            kind = kind_of(hub)
            seen = kinds.setdefault(kind, {"kind": kind, "slices": 0, "falls": 0, "edges": {}})
            seen["slices"] += 1
            seen["falls"] += hub["falls"]
            edge = f"{package}: {hub['by']} → {hub['kept']}"
            seen["edges"][edge] = seen["edges"].get(edge, 0) + hub["falls"]
    for seen in kinds.values():
        edges = sorted(seen["edges"].items(), key=lambda item: (-item[1], item[0]))
        seen["edges"] = dict(edges)
    return sorted(kinds.values(), key=lambda seen: (-seen["falls"], seen["kind"]))


def kind_of(hub: Row) -> str:
    """What asks, why and for what, without names: `method: uses .NAME: method`."""
    reason = re.sub(r" \([^()]*:\d+\)$", "", hub["reason"])
    if hub["by"]:
        reason = reason.removeprefix(hub["by"]).strip()
    for pattern, text in _WITHOUT_NAMES:
        reason = re.sub(pattern, text, reason)
    return (
        f"{hub['asker_kind']}: {reason}: {hub['kept_kind']}"
        if reason
        else f"{hub['asker_kind']}: {hub['kept_kind']}"
    )


_WITHOUT_NAMES = (
    (r"^\S+::(?:<line \d+>|\S+) ", ""),
    (r"\.__\w+__", ".__OPERATOR__"),
    (r"\.(?!__OPERATOR__)\w+$", ".NAME"),
    (r"^uses (?![.]|__)\S+$", "uses NAME"),
    (r"^uses __\w+__$", "uses __OPERATOR__"),
    (r"^changes \S+ when \S+ is imported$", "changes NAME when a module is imported"),
    (r"^loads \S+$", "loads a module"),
    (r"^may hold an? \S+$", "may hold an instance"),
    (r"^computes a member name .*$", "computes a member name"),
    (r"^named in \S+$", "named in a data file"),
)


def markdown(result: Row, before: Row) -> str:
    """The two tables for people."""
    old = before.get("packages", {})
    head = ("package", "functions", "sliced", "lines", "p90", "definitions", "lines before",
            "p90 before")  # fmt: skip
    rows: list[tuple[object, ...]] = []
    for name, one in result["packages"].items():
        was = (old[name]["lines"], old[name]["lines_p90"]) if name in old else ("", "")
        rows.append(
            (name, one["functions"], one["sliced"], one["lines"], one["lines_p90"],
             one["definitions"], *was)
        )  # fmt: skip
    parts = [table(head, rows), _why_not(result["packages"])]
    kinds = [
        (kind["kind"], kind["slices"], kind["falls"], next(iter(kind["edges"])))
        for kind in result["kinds"]
    ]
    parts.append(table(("kind of edge", "slices", "definitions that fall", "the heaviest"), kinds))
    return "\n\n".join(part for part in parts if part)


def _why_not(packages: Mapping[str, Row]) -> str:
    reasons: Iterable[str] = (
        f"- {name}: {target}: {why}"
        for name, one in packages.items()
        for target, why in one["why_not"].items()
    )
    return "\n".join(reasons)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.slices.hubs.hubs",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--package", action="append", choices=PACKAGES, help="repeatable")
    parser.add_argument("--short", action="store_true", help=f"{SHORT} functions of each")
    parser.add_argument("--draw", action="store_true", help="draw the functions anew, with a seed")
    parser.add_argument("--code", type=Path, default=ROOT, metavar="DIR", help="another checkout")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="CPU time for a function")
    parser.add_argument("--against", type=Path, metavar="FILE", help="what `--json` wrote before")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", metavar="NAME", help="also benchmarks/results/NAME.json")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK, help="cache folder")
    return parser


if __name__ == "__main__":
    sys.exit(main())
