"""Adds the records of all examples up, and writes the tables."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Record = dict[str, Any]
BASELINES = {
    "concatenated": ("dependency context, concatenated as it is", "plain"),
    "stripped": ("+ local imports stripped, `__future__` hoisted", "plain"),
    "stripped, stubbed": ("+ missing third-party modules stubbed", "stubbed"),
    "published eval script": ("GPT-4o's eval script, imported (its tests not run)", "plain"),
    "published eval script, stubbed": ("the same, missing modules stubbed", "stubbed"),
}

TITLE = """# RepoST-Eval, development part

{targets} targets of {repositories} repositories: {in_whole_repository} sliced in the whole
repository, {in_context_only} in the fragments that the data give (the repository cannot be had, or
not at its commit, and the target is not in what there is). Python {python}, no network, the
repository absent, the target not called.
The target's own module imports inside its repository for {plain} of {targets}; with
missing third-party modules stubbed for {stubbed}.
"""
CANDIDATE = "_new_implementation"
"""A name ending so is bound by whoever uses a published eval script."""


def summarise(records: Sequence[Record]) -> Record:
    """All numbers that the tables show, each beside its denominator."""
    layouts = list(records[0]["layouts"]) if records else []
    return {
        "targets": len(records),
        "repositories": len({r["repository"] for r in records}),
        "in_whole_repository": _count(records, lambda r: r["origin"] == "repository"),
        "in_context_only": _count(records, lambda r: r["origin"] == "context"),
        "target_as_published": _count(records, lambda r: r["as_published"]),
        "original_imports": {
            key: _count(records, lambda r, key=key: _original(r, key))
            for key in ("plain", "stubbed")
        },
        "baselines": {name: _baseline(records, name) for name in BASELINES},
        "context_size": _sizes([r["context"] for r in records]),
        "layouts": {layout: _layout(records, layout) for layout in layouts},
    }


def markdown(result: Record) -> str:
    """The summary as Markdown."""
    summary = result["summary"]
    n = summary["targets"]
    imports = summary["original_imports"]
    lines = [
        *TITLE.format(**summary, **result["environment"], **imports).splitlines(),
        "",
        "| script | executes | no undefined global |",
        "|---|---|---|",
    ]
    for name, (title, _) in BASELINES.items():
        found = summary["baselines"][name]
        lines.append(f"| {title} | {_of(found['executes'], n)} | {found['all_names_bound']} |")
    for layout, found in summary["layouts"].items():
        for key, title in (("plain", ""), ("stubbed", ", missing modules stubbed")):
            bound = found["all_names_bound"] if key == "stubbed" else ""
            lines.append(
                f"| ours, `{layout}`{title} | {_of(found['executes'][key], n)} | {bound} |"
            )
    lines += ["", *_layout_table(summary), "", *_failures(summary)]
    return "\n".join(lines) + "\n"


def cause(record: Record, layout: str) -> str | None:
    """Why the slice of an example does not execute, stubs allowed; `None` where it does."""
    found = record["layouts"][layout]
    if "error" in found:
        return f"not sliced: {found['error']['kind']}"
    failures = [run["stubbed"]["failure"] for run in found["runs"].values()]
    failure = next((f for f in failures if f), None)
    if failure is None:
        return None
    return _cause(failure) + ("" if _original(record, "stubbed") else "; so does the original")


def _cause(failure: Record) -> str:
    kind, message = failure["kind"], failure["message"]
    if kind == "ModuleNotFoundError":
        return f"module `{failure['module']}` not found"
    if kind == "KeyError" and "environ" in failure["text"]:
        return "needs an environment variable"
    if kind == "FileNotFoundError":
        return "needs a file"
    place = " inside an installed package" if failure["installed"] else ""
    return f"{kind}{place}: {message.splitlines()[0][:90] if message else ''}"


def _layout(records: Sequence[Record], layout: str) -> Record:
    found = [(r, r["layouts"][layout]) for r in records]
    sliced = [(r, f) for r, f in found if "error" not in f]
    ways = list(sliced[0][1]["runs"]) if sliced else []
    executes = {key: [r for r, f in sliced if _all(f, key)] for key in ("plain", "stubbed")}
    importable = [r["number"] for r in records if _original(r, "stubbed")]
    running = {r["number"] for r in executes["stubbed"]}
    good = [f for r, f in sliced if r["number"] in running]
    return {
        "sliced": len(sliced),
        "layouts_taken": dict(Counter(f["layout"] for _, f in sliced)),
        "ways": {way: {k: _executing(sliced, way, k) for k in executes} for way in ways},
        "executes": {key: len(value) for key, value in executes.items()},
        "ways_agree": _count(sliced, lambda p: _agree(p[1]["runs"])),
        "executes_where_original_imports": {
            "executes": len(running & set(importable)),
            "original_imports": len(importable),
        },
        "all_names_bound": _count(good, lambda f: not f["undefined"]),
        "undefined_though_bound_in_original": _count(
            good, lambda f: any(not item["in_original"] for item in f["undefined"])
        ),
        "prints_when_loaded": _count(
            good, lambda f: any(r["stubbed"]["printed"] for r in f["runs"].values())
        ),
        "target_identical": _count(sliced, lambda p: p[1]["target_identical"]),
        "functions_kept": sum(f["functions_kept"] for _, f in sliced),
        "functions_changed": sum(len(f["functions_changed"]) for _, f in sliced),
        "edits": sum(len(f["edits"]) for _, f in sliced),
        "gaps": dict(Counter(gap["kind"] for _, f in sliced for gap in f["gaps"])),
        "size": _sizes([f["size"] for _, f in sliced]),
        "lines_against_context": _ratios(
            [(f["size"]["lines"], r["context"]["lines"]) for r, f in sliced]
        ),
        "published_tests": _passing(records, layout),
        "milliseconds": _spread([f["milliseconds"] for _, f in sliced]),
        "causes": _causes(records, layout),
    }


def _executing(sliced: Sequence[tuple[Record, Record]], way: str, key: str) -> int:
    return sum(found["runs"][way][key]["executes"] for _, found in sliced)


def _passing(records: Sequence[Record], layout: str) -> dict[str, int]:
    """Published tests that pass with the slice's function, of those that their own passes."""
    able = [r for r in records if r["published_tests"]["stubbed"]["executes"]]
    found = [r["layouts"][layout].get("published_tests") for r in able]
    tried = len(able) if any(found) else 0
    return {"passed": _count(found, lambda t: t and t["stubbed"]["executes"]), "of": tried}


def _layout_table(summary: Record) -> list[str]:
    layouts = summary["layouts"]
    rows: list[tuple[str, Callable[[Record], object]]] = [
        ("sliced without error", lambda f: _of(f["sliced"], summary["targets"])),
        ("layout taken", lambda f: _pairs(f["layouts_taken"])),
        (
            "executes, by way (stubbed)",
            lambda f: _pairs({w: k["stubbed"] for w, k in f["ways"].items()}),
        ),
        ("all ways agree (outcome, names, output)", lambda f: _of(f["ways_agree"], f["sliced"])),
        (
            "executes, of those whose original imports",
            lambda f: _of(*f["executes_where_original_imports"].values()),
        ),
        (
            "scripts with a name undefined that the original binds",
            lambda f: f["undefined_though_bound_in_original"],
        ),
        ("prints when loaded", lambda f: f["prints_when_loaded"]),
        ("target identical", lambda f: _of(f["target_identical"], f["sliced"])),
        (
            "kept functions identical",
            lambda f: _of(f["functions_kept"] - f["functions_changed"], f["functions_kept"]),
        ),
        (
            "published tests pass with the sliced function in place",
            lambda f: _of(*f["published_tests"].values()),
        ),
        ("edits", lambda f: f["edits"]),
        ("gaps", lambda f: _pairs(f["gaps"])),
        ("lines: median / p95 / all", lambda f: _three(f["size"]["lines"])),
        ("lines ÷ context's: median / p95 / all", lambda f: _three(f["lines_against_context"])),
        ("ms a slice: median / p95 / all", lambda f: _three(f["milliseconds"])),
    ]
    head = ["", *(f"`{layout}`" for layout in layouts)]
    table = [_row(head), _row(["---"] * len(head))]
    table += [_row([title, *(show(found) for found in layouts.values())]) for title, show in rows]
    context = _three(summary["context_size"]["lines"])
    return [*table, "", f"Lines are those with text on them. The context's: {context}."]


def _failures(summary: Record) -> list[str]:
    lines = ["## What does not execute, and why", ""]
    for layout, found in summary["layouts"].items():
        lines += [f"### `{layout}`", "", "| cause | targets |", "|---|---|"]
        for why, which in found["causes"].items():
            lines.append(_row([why.replace("|", "\\|"), f"{len(which)}: {', '.join(which)}"]))
        lines.append("")
    return lines


def _causes(records: Sequence[Record], layout: str) -> dict[str, list[str]]:
    """Targets that do not execute, by cause, the most frequent first."""
    found: dict[str, list[str]] = {}
    for record in records:
        if why := cause(record, layout):
            found.setdefault(why, []).append(f"{record['number']} `{record['target']}`")
    return dict(sorted(found.items(), key=lambda item: (-len(item[1]), item[0])))


def _baseline(records: Sequence[Record], name: str) -> Record:
    _, key = BASELINES[name]
    runs = [r["baselines"][name.removesuffix(", stubbed")][key] for r in records]
    good = [run for run in runs if run["executes"]]
    whole = _count(good, lambda run: all(n.endswith(CANDIDATE) for _, _, n in run["undefined"]))
    return {"executes": len(good), "all_names_bound": whole}


def _original(record: Record, key: str) -> bool:
    return record["original"]["module"][key]["executes"]


def _all(found: Record, key: str) -> bool:
    return all(run[key]["executes"] for run in found["runs"].values())


def _agree(runs: dict[str, Record]) -> bool:
    """Whether every way had the same outcome, the same names and the same output."""
    seen = {
        (
            run["stubbed"]["executes"],
            run["stubbed"]["names"] if run["stubbed"]["executes"] else "",
            run["stubbed"]["printed"],
        )
        for run in runs.values()
    }
    return len(seen) == 1


def _sizes(sizes: Sequence[dict[str, int]]) -> Record:
    return {key: _spread([size[key] for size in sizes]) for key in ("bytes", "lines")}


def _ratios(pairs: Iterable[tuple[int, int]]) -> Record:
    pairs = list(pairs)
    spread = _spread([ours / theirs for ours, theirs in pairs if theirs])
    theirs = sum(pair[1] for pair in pairs)
    return {**spread, "all": round(sum(pair[0] for pair in pairs) / theirs, 3) if theirs else 0}


def _spread(values: Sequence[float]) -> dict[str, float]:
    if not values:
        return {"median": 0, "p95": 0, "all": 0}
    ranked = sorted(values)
    return {
        "median": round(statistics.median(ranked), 3),
        "p95": round(ranked[math.ceil(0.95 * len(ranked)) - 1], 3),
        "all": round(sum(ranked), 3),
    }


def _count(things: Iterable[Any], test: Callable[[Any], object]) -> int:
    return sum(1 for thing in things if test(thing))


def _of(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "0 of 0"


def _three(spread: Record) -> str:
    return " / ".join(f"{spread[key]:g}" for key in ("median", "p95", "all"))


def _pairs(counts: dict[str, int]) -> str:
    return ", ".join(f"{key} {value}" for key, value in counts.items()) or "none"


def _row(cells: Iterable[object]) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |"
