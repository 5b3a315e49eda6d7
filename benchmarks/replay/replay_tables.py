"""The numbers of a replay, from the outcomes of its functions."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence

from .judge import Outcome

Record = dict[str, object]
COUNTED = (
    "Kept and ran count functions and methods by file and qualified name: a name counts once, also "
    "where overload stubs or other definitions share it."
)
MANY = 5
"""From how many executed functions on a slice counts in the second median."""


def summary(outcomes: Sequence[Outcome]) -> Record:
    """The numbers of one package."""
    replayed = [o for o in outcomes if o.compared]
    identical = [o for o in replayed if o.identical == o.compared]
    left: Counter[str] = Counter()
    for outcome in outcomes:
        left.update({_short(reason): count for reason, count in outcome.left.items()})
    return {
        "functions": len(outcomes),
        "replayed": len(replayed),
        "identical": len(identical),
        "calls_recorded": sum(o.recorded for o in outcomes),
        "calls_compared": sum(o.compared for o in outcomes),
        "calls_identical": sum(o.identical for o in outcomes),
        "calls_compared_without_some_numbers": sum(o.masked for o in outcomes),
        "calls_left_out": dict(left.most_common()),
        "functions_left_out": _functions_left_out(outcomes),
        "ratios": ratios(replayed),
        "classes_of_arguments": _classes(outcomes),
        "named_all_classes": sum(o.named in ("all", "whole") for o in identical),
        "named_after_touch": _touched(outcomes),
        "layouts": dict(Counter(o.layout for o in replayed)),
        "calls_answered_by_mocks": sum(sum(o.answered.values()) for o in outcomes),
        "differences": [
            {"target": o.target, "calls": o.differing, "first": o.differences[0]}
            for o in replayed
            if o.differing
        ],
    }


def _short(reason: str) -> str:
    """A reason without the name that it is about."""
    return reason.split(" missing ", maxsplit=1)[0].rpartition(" /")[0] or reason


def _functions_left_out(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """Functions of which no call was compared, by their most frequent reason."""
    reasons: Counter[str] = Counter()
    for outcome in outcomes:
        if not outcome.compared:
            common = Counter(outcome.left).most_common(1)
            reason = outcome.failed or (common[0][0] if common else "no call recorded")
            reasons[reason[:160]] += 1
    return dict(reasons.most_common())


def ratios(replayed: Sequence[Outcome]) -> Record:
    """Kept functions and methods for each that ran; all kept definitions for each that ran."""
    ran = [o for o in replayed if o.executed]
    return {
        "functions": _spread([o.functions / o.executed for o in ran]),
        f"functions_where_{MANY}_ran": _spread(
            [o.functions / o.executed for o in ran if o.executed >= MANY]
        ),
        "all_definitions": _spread([o.definitions / o.executed for o in ran]),
        "functions_kept_without_named_classes": _spread([float(o.kept_without) for o in ran]),
        "functions_kept": _spread([float(o.functions) for o in ran]),
        "functions_executed": _spread([float(o.executed) for o in ran]),
    }


def _spread(values: Sequence[float]) -> Record:
    """How many, median and 95th percentile."""
    if not values:
        return {"count": 0}
    ordered = sorted(values)
    high = ordered[min(len(ordered) - 1, math.ceil(0.95 * len(ordered)) - 1)]
    median = statistics.median(ordered)
    return {"count": len(ordered), "median": round(median, 2), "p95": round(high, 2)}


def _classes(outcomes: Iterable[Outcome]) -> Record:
    """How the classes that arguments need would be had without naming them."""
    counts: Counter[str] = Counter()
    functions: Counter[str] = Counter()
    for outcome in outcomes:
        counts.update(outcome.found.values())
        if outcome.found:
            functions["with_classes"] += 1
            ways = set(outcome.found.values())
            functions["found_by_slice"] += ways == {"slice"}
            functions["found_with_suggested"] += "suggested" in ways and "missing" not in ways
            functions["some_missing"] += "missing" in ways
    return {"classes": dict(counts), "functions": dict(functions)}


def _touched(outcomes: Sequence[Outcome]) -> Record:
    """How often what arguments merely refer to had to be named, where the slice does the same.

    Where it does something else whatever is named, that says nothing about what was needed.
    """
    ran = [o for o in outcomes if o.compared and o.identical == o.compared]
    touched = [o for o in ran if o.named == "touched"]
    return {
        "functions": len(ran),
        "by_way": dict(Counter(o.named for o in ran)),
        "by_rounds": {
            str(n): count for n, count in sorted(Counter(o.rounds for o in touched).items())
        },
        "names": sum(len(o.touched) for o in touched),
    }


def table(records: Sequence[Record]) -> str:
    """The numbers as Markdown, with what was left out."""
    head = (
        "| package | functions called | replayed | identical | calls compared "
        "| kept ÷ ran, median (p95) | same, ≥ 5 ran | all definitions ÷ ran |\n"
        "|---|---|---|---|---|---|---|---|\n"
    )
    body = "".join(_row(record) for record in records)
    lines = [line for record in records for line in (_named(record), _left(record)) if line]
    return head + body + f"\n{COUNTED}\n\n" + "\n".join(lines)


def _row(record: Record) -> str:
    if "left_out" in record:
        return f"| {record['package']} | {record['left_out']} | | | | | | |\n"
    spread: dict[str, Record] = record["ratios"]  # pyright: ignore
    cells = [
        record["package"],
        record["functions"],
        _share(record["replayed"], record["functions"]),
        _share(record["identical"], record["replayed"]),
        f"{record['calls_compared']} of {record['calls_recorded']}",
        _median(spread["functions"]),
        _median(spread[f"functions_where_{MANY}_ran"]),
        _median(spread["all_definitions"]),
    ]
    return "| " + " | ".join(str(cell) for cell in cells) + " |\n"


def _share(part: object, whole: object) -> str:
    share = 100 * part / whole if whole else 0.0  # pyright: ignore
    return f"{part} ({share:.1f} %)"


def _median(spread: Record) -> str:
    return f"{spread['median']} ({spread['p95']})" if spread["count"] else "-"


def _named(record: Record) -> str:
    """What of the things that arguments refer to was named for the slices of one package."""
    told: Record | None = record.get("named_after_touch")  # pyright: ignore
    if not told:
        return ""
    rounds: dict[str, int] = told["by_rounds"]  # pyright: ignore
    ways: dict[str, int] = told["by_way"]  # pyright: ignore
    again = sum(count for number, count in rounds.items() if number != "0")
    otherwise = sum(count for way, count in ways.items() if way != "touched")
    return (
        f"- {record['package']}: of {told['functions']} identical functions, {rounds.get('0', 0)} "
        "needed nothing named but the classes whose instances are arguments, "
        f"{again} were sliced again (at most {max(map(int, rounds), default=0)} times) with the "
        f"{told['names']} names that their calls touched, and for "
        f"{otherwise} all was named that the arguments refer to."
    )


def _left(record: Record) -> str:
    """What was left out of one package, by reason."""
    if "left_out" in record:
        return f"- {record['package']}: {record['left_out']}."
    functions: dict[str, int] = record["functions_left_out"]  # pyright: ignore
    calls: dict[str, int] = record["calls_left_out"]  # pyright: ignore
    texts = [f"{count} of: {reason}" for reason, count in functions.items()]
    more = [f"{count} of: {reason}" for reason, count in calls.items()]
    return (
        f"- {record['package']}: functions not replayed: {'; '.join(texts) or 'none'}. "
        f"Calls left out: {'; '.join(more) or 'none'}."
    )
