"""Replay fidelity with and without mocks, function by function."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .judge import Outcome

Record = dict[str, object]
EXPLAINED = (
    "Answered: of the calls that differ from the original's, those that the original under the "
    "mocks of the slice makes alike, effects included; functions of which nothing else differs. "
    "Fell: functions that were replayed without mocks and are not with them, or of which a call "
    "that nothing explains differs that did not."
)


def compared(plain: Sequence[Outcome], mocked: Sequence[Outcome]) -> Record:
    """The numbers of one package, of the same functions both ways."""
    pairs = [(one, two) for one, two in zip(plain, mocked, strict=True)]
    kinds: Counter[str] = Counter()
    for outcome in mocked:
        kinds.update(outcome.answered)
    return {
        "functions": len(pairs),
        "without": _numbers(plain),
        "with": _numbers(mocked),
        "answered_by": dict(kinds.most_common()),
        "fell": [two.target for one, two in pairs if _fell(one, two)],
        "rose": [two.target for one, two in pairs if _fell(two, one)],
    }


def _numbers(outcomes: Sequence[Outcome]) -> Record:
    replayed = [o for o in outcomes if o.compared]
    return {
        "replayed": len(replayed),
        "identical": sum(o.identical == o.compared for o in replayed),
        "answered": sum(bool(o.answered) and not o.differing for o in replayed),
        "differing": [o.target for o in replayed if o.differing],
        "calls_compared": sum(o.compared for o in replayed),
        "calls_identical": sum(o.identical for o in replayed),
        "calls_answered": sum(sum(o.answered.values()) for o in replayed),
    }


def _fell(before: Outcome, after: Outcome) -> bool:
    return bool(before.compared) and (not after.compared or after.differing > before.differing)


def beside_table(records: Sequence[Record]) -> str:
    """The numbers as Markdown; nothing where none was run both ways."""
    both = [(str(r["package"]), r["beside"]) for r in records if "beside" in r]
    if not both:
        return ""
    head = (
        "\n\n| package | functions | replayed, without → with | identical | answered | differing "
        "| calls compared: identical, answered, differing | fell |\n"
        "|---|---|---|---|---|---|---|---|\n"
    )
    rows = "".join(_row(name, beside) for name, beside in both)  # pyright: ignore
    told = "".join(_told(name, beside) for name, beside in both)  # pyright: ignore
    return f"{head}{rows}\n{EXPLAINED}\n\n{told}"


def _row(name: str, beside: Record) -> str:
    before: Record = beside["without"]  # pyright: ignore
    after: Record = beside["with"]  # pyright: ignore
    other = int(after["calls_compared"]) - int(after["calls_identical"])  # pyright: ignore
    calls = (
        f"{after['calls_compared']}: {after['calls_identical']}, {after['calls_answered']}, "
        f"{other - int(after['calls_answered'])}"  # pyright: ignore
    )
    cells = [
        name,
        beside["functions"],
        *(f"{before[key]} → {after[key]}" for key in ("replayed", "identical")),
        after["answered"],
        f"{len(before['differing'])} → {len(after['differing'])}",  # pyright: ignore
        calls,
        len(beside["fell"]),  # pyright: ignore
    ]
    return "| " + " | ".join(str(cell) for cell in cells) + " |\n"


def _told(name: str, beside: Record) -> str:
    kinds: dict[str, int] = beside["answered_by"]  # pyright: ignore
    fell: list[str] = beside["fell"]  # pyright: ignore
    told = "; ".join(f"{count} of: {kind}" for kind, count in kinds.items()) or "none"
    return f"- {name}: answered calls: {told}. Fell: {', '.join(fell) or 'none'}.\n"
