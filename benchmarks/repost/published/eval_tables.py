"""The tables of the eval scripts' run: what passed, why the others did not, and the coverage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from slicefunc.verifier.execution.environments import Lock, merge_locks, read_lock

from ...common.report import share, table
from .eval_candidate import KINDS

Record = dict[str, Any]
TOLERANCE = 0.01
MEASURES = {
    "branches": "branches of the target alone: ours",
    "together": "its lines and branches together",
    "lines": "its lines",
    "as_recorded": "as the data set's program counts",
}
PLACES = {
    "no-branching-statement": "no `if`, `for`, `while` or `try`: recorded as 1",
    "class-excluded": "method whose class was excluded: recorded as 1",
    "": "measured by the data set's program",
}


def summarise(records: Sequence[Record]) -> Record:
    """All counts, as JSON."""
    return {
        "scripts": len(records),
        "verdicts": {kind: _counted(_verdict(r, kind) for r in records) for kind in KINDS},
        "reasons": {kind: _reasons(records, kind) for kind in KINDS},
        "environments": _environments(records),
        "coverage": _coverage(records),
        "rewritten": [r["number"] for r in records if r.get("is_rewritten")],
        "differently_as_case": [r["number"] for r in records if _ends_otherwise(r)],
        "merged": _merged(records),
    }


def _verdict(record: Record, kind: str) -> str:
    if "runs" in record:
        return record["runs"][kind]["verdict"]
    return "unfit" if "unfit" in record else "too-large"


def _reasons(records: Iterable[Record], kind: str) -> list[Record]:
    """Why scripts did not pass, most frequent first."""
    found: dict[tuple[str, str], list[str]] = {}
    for record in records:
        verdict = _verdict(record, kind)
        if verdict != "passed":
            run: Record = record.get("runs", {}).get(kind, {})
            reason = run.get("reason") or record.get("unfit") or record.get("too_large", "")
            found.setdefault((verdict, reason), []).append(record["number"])
    ordered = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    return [{"verdict": v, "reason": r, "scripts": numbers} for (v, r), numbers in ordered]


def _ends_otherwise(record: Record) -> bool:
    """Whether a run of the test as a case ends otherwise than the script run as a program."""
    runs: Iterable[Record] = record.get("runs", {}).values()
    return any((r["verdict"] == "passed") != (r["as_case"] == "returned") for r in runs)


def _merged(records: Iterable[Record]) -> Record:
    """Whether the scripts end the same in merged environments, where that was tried."""
    tried = [record for record in records if "merged" in record]
    others = [r["number"] for r in tried if any(r["merged"][k] != _verdict(r, k) for k in KINDS)]
    return {"scripts": len(tried), "otherwise": others}


def _environments(records: Iterable[Record]) -> Record:
    ran = [record for record in records if "lock" in record]
    locks = [read_lock(record["lock"]) for record in ran]
    merged = merge_locks(locks)
    sizes = {record["environment"]: record["megabytes"] for record in ran}
    additions = [(r["number"], a) for r in ran for a in r["additions"]]
    return {
        "scripts": len(ran),
        "empty": sum(not lock.packages for lock in locks),
        "environments": len(sizes),
        "merged": len(merged.locks),
        "merged_packages": [len(lock.packages) for lock in merged.locks],
        "distributions": len(_names(locks)),
        "largest_megabytes": max(sizes.values(), default=0),
        "repaired": [[number, a["requirement"], a["is_installed"]] for number, a in additions],
        "not_installable": [[r["number"], *p] for r in ran for p in r["problems"]],
        "notes": sorted({note for r in ran for note in r["notes"]}),
    }


def _names(locks: Iterable[Lock]) -> set[str]:
    return {package.name for lock in locks for package in lock.packages}


def _coverage(records: Sequence[Record]) -> Record:
    """For each candidate: how many scripts that pass agree with the rate, by each measure."""
    return {
        kind: {
            "passed": len(passed := [r for r in records if _verdict(r, kind) == "passed"]),
            "agree": {name: sum(_agrees(r, kind, name) for r in passed) for name in MEASURES},
            "by_place": [_place(passed, kind, why) for why in PLACES],
            "differences": [_difference(r, kind) for r in passed if not _agrees(r, kind)],
        }
        for kind in KINDS
    }


def _agrees(record: Record, kind: str, measure: str = "branches") -> bool:
    found = _candidate_of(record, kind)
    return bool(found) and abs(found[measure] - record["recorded"]) <= TOLERANCE


def _candidate_of(record: Record, kind: str) -> Record:
    return record["runs"][kind].get("coverage", {})


def _place(passed: Iterable[Record], kind: str, reason: str) -> Record:
    mine = [r for r in passed if _candidate_of(r, kind).get("because") == reason]
    return {
        "place": reason,
        "scripts": len(mine),
        "agree": {name: sum(_agrees(r, kind, name) for r in mine) for name in MEASURES},
    }


def _difference(record: Record, kind: str) -> Record:
    found = _candidate_of(record, kind)
    return {
        "number": record["number"],
        "target": record["target"],
        "recorded": record["recorded"],
        **{name: found.get(name) for name in MEASURES},
        "why": _why(record, found),
        "missing": list(found.get("missing", ()))[:3],
    }


def _why(record: Record, found: Record) -> str:
    if not found:
        return "the arcs did not come back"
    if not found["is_called"]:
        own = "; it brings a candidate of its own" if record["brings_own"] else ""
        return f"the tests never call the candidate{own}"
    return found["because"] or "really measured"


def markdown(result: Record) -> str:
    """The tables."""
    summary: Record = result["summary"]
    parts = [
        _verdicts(summary),
        _not_passed(summary),
        _repeated(summary),
        _installed(summary["environments"], summary["merged"]),
        *(_covered(summary["coverage"][kind], kind) for kind in KINDS),
    ]
    return "\n\n".join(part for part in parts if part)


def _verdicts(summary: Record) -> str:
    verdicts = [summary["verdicts"][kind] for kind in KINDS]
    names = sorted({name for each in verdicts for name in each}, key=lambda n: (n != "passed", n))
    total = summary["scripts"]
    rows = [[name, *(share(each.get(name, 0), total) for each in verdicts)] for name in names]
    return table(("verdict", "repository's function", "script's own copy"), rows)


def _not_passed(summary: Record) -> str:
    rows = [
        (kind, each["verdict"], each["reason"], len(each["scripts"]), " ".join(each["scripts"]))
        for kind in KINDS
        for each in summary["reasons"][kind]
    ]
    return table(("candidate", "verdict", "reason", "scripts", "numbers"), rows) if rows else ""


def _repeated(summary: Record) -> str:
    total, others = summary["scripts"], summary["differently_as_case"]
    rewritten = summary["rewritten"]
    return (
        "Loaded as a module, with the test as an observed case,"
        f" {share(total - len(others), total)} end the same{_listed(others)}.\n"
        "The copy differs from the repository's function in more than docstring and annotations in"
        f" {share(len(rewritten), total)}."
    )


def _listed(numbers: Sequence[str]) -> str:
    return f" (others: {' '.join(numbers)})" if numbers else ""


def _installed(found: Record, merged: Record) -> str:
    repaired = ", ".join(
        f"{number}: {name}{'' if installed else ' (not installable)'}"
        for number, name, installed in found["repaired"]
    )
    lacking = ", ".join(
        f"{number}: {name} ({code})" for number, code, name in found["not_installable"]
    )
    lines = [
        f"{found['scripts']} scripts ran in {found['environments']} environments, of"
        f" {found['distributions']} distributions; the largest has {found['largest_megabytes']} MB."
        f" {found['empty']} have nothing installed.",
        f"Merged, {found['merged']} serve all. {_same(merged)}".rstrip(),
        f"Repaired: {repaired or 'none'}. Not installed: {lacking or 'none'}.",
        *found["notes"],
    ]
    return "\n".join(lines)


def _same(merged: Record) -> str:
    total, others = merged["scripts"], merged["otherwise"]
    if not total:
        return ""
    return f"There {share(total - len(others), total)} end the same{_listed(others)}."


def _covered(found: Record, kind: str) -> str:
    named: Callable[[str], str] = MEASURES.__getitem__
    rows = [
        (PLACES[each["place"]], *(share(each["agree"][n], each["scripts"]) for n in MEASURES))
        for each in found["by_place"]
    ]
    whole = ("all", *(share(found["agree"][n], found["passed"]) for n in MEASURES))
    text = table((f"candidate: {kind}", *map(named, MEASURES)), [*rows, whole])
    differences = [
        (d["number"], d["target"], d["branches"], d["together"], d["why"], "; ".join(d["missing"]))
        for d in found["differences"]
    ]
    head = ("number", "target", "branches", "together", "why", "missing")
    return f"{text}\n\n{table(head, differences)}" if differences else text


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))
