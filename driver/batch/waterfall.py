"""The waterfall: how many functions passed each stage, and why the others did not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .entries import Entry

_ENOUGH = 0.8
_LEAST = 1e-9
"""Tolerance for rounding errors in shares."""
_WORDS = {
    "sliced": "sliced",
    "runs": "run alone",
    "called": "called by a case",
    "stable": "with the same outcome each time",
    "faithful": "that do nothing else than in the repository",
    "branches_80": "with 80 % of the branches taken",
    "branches_100": "with all branches taken",
    "killed_80": "with 80 % of the branches taken and of the mutants killed",
    "unseen_80": "and with 80 % of the mutants killed that no case was made for",
    "environments": "environments",
}


@dataclass(frozen=True, slots=True)
class Summary:
    """The outcomes of all functions."""

    entries: tuple[Entry, ...]
    left_out: tuple[str, ...]
    """Files that cannot be read or parsed, with reasons; their functions are not counted."""
    has_runs: bool = False
    """Whether scripts were run."""
    has_cases: bool = False
    """Whether cases were synthesised."""
    excluded: int | None = None
    """Number of functions left out by `--include` and `--exclude`; `None` without these."""

    def to_json(self) -> dict[str, Any]:
        """Return the whole-repository report; keys that were not requested are absent."""
        return {
            "functions": len(self.entries),
            **({} if self.excluded is None else {"excluded": self.excluded}),
            **self.counts(),
            **({"in_place": found} if (found := self.in_place()) else {}),
            "reasons": dict(sorted(self.reasons().items())),
            **({"model_calls": calls} if (calls := self.model_calls()) else {}),
            "left_out": list(self.left_out),
            "entries": [entry.to_json() for entry in self.entries],
        }

    def counts(self) -> dict[str, int]:
        """Return stage → number of functions that reached it, and all stages before."""
        stages = [_stages(entry) for entry in self.entries]
        stage_names = list(_WORDS) if self.has_cases else ["sliced", "runs"][: 1 + self.has_runs]
        return {name: sum(each[name] for each in stages) for name in stage_names}

    def reasons(self) -> Counter[str]:
        """Return reason code → number of functions that fail for it."""
        return Counter(reason.code for entry in self.entries for reason in entry.reasons)

    def in_place(self) -> dict[str, Any]:
        """Return how many functions were compared with the repository itself, and why others were
        not.

        Return an empty dictionary if no comparison was requested.
        """
        results = [each.faithful for each in self.entries if each.faithful is not None]
        compared = [each for each in results if each["compared"]]
        why_not = Counter(each["why_not"]["code"] for each in results if not each["compared"])
        return (
            {
                "asked": len(results),
                "compared": len(compared),
                "same": sum(not _is_unlike(each) for each in compared),
                "why_not": dict(sorted(why_not.items())),
            }
            if results
            else {}
        )

    def model_calls(self) -> dict[str, float]:
        """Return the model's usage for all functions together; empty if no model was used."""
        usages = [entry.model_calls for entry in self.entries if entry.model_calls is not None]
        names = ("calls", "input_tokens", "output_tokens", "cost", "seconds")
        return {name: round(sum(each[name] for each in usages), 6) for name in names if usages}


def _stages(entry: Entry) -> dict[str, bool]:
    """Return the stages that a function reached; later ones do not need all branches."""
    runs = entry.sliced and bool(entry.runs)
    called = runs and bool(entry.called)
    stable = called and bool(entry.stable)
    faithful = stable and not _is_unlike(entry.faithful)
    branches = entry.branches if faithful and entry.branches is not None else 0.0
    covered = branches >= _ENOUGH - _LEAST
    killed = 0.0 if entry.killed is None else entry.killed
    strong = covered and (killed >= _ENOUGH - _LEAST or _has_no_mutants(entry))
    unseen = 1.0 if entry.unseen_killed is None else entry.unseen_killed
    return {
        "sliced": entry.sliced,
        "runs": runs,
        "called": called,
        "stable": stable,
        "faithful": faithful,
        "branches_80": covered,
        "branches_100": branches >= 1 - _LEAST,
        "killed_80": strong,
        "unseen_80": strong and unseen >= _ENOUGH - _LEAST,
        "environments": bool(entry.passed),
    }


def _is_unlike(faithful: dict[str, Any] | None) -> bool:
    """Whether a case behaves differently in the repository."""
    return faithful is not None and faithful["same"] < faithful["compared"]


def _has_no_mutants(entry: Entry) -> bool:
    return entry.killed is None and bool(entry.passed)


def summary_lines(summary: Summary) -> Iterator[str]:
    """Yield the report for people, line by line."""
    yield f"{len(summary.entries):>7} functions"
    if summary.excluded is not None:
        yield f"{summary.excluded:>7} others left out by --include and --exclude"
    for name, count in summary.counts().items():
        yield f"{count:>7} {_WORDS[name]}"
    in_place = summary.in_place()
    if in_place:
        yield (
            f"{in_place['compared']:>7} of {in_place['asked']} compared with the repository itself,"
            f" {in_place['same']} of them the same"
        )
    for code, count in sorted(in_place.get("why_not", {}).items()):
        yield f"{count:>7} not compared: {code}"
    for code, count in sorted(summary.reasons().items()):
        yield f"{count:>7} not: {code}"
    calls = summary.model_calls()
    if calls:
        tokens = f"{calls['input_tokens']:,} tokens in, {calls['output_tokens']:,} out"
        yield f"{calls['calls']:>7} calls of the model: {tokens}, ${calls['cost']:.2f}"
    usages = (entry.model_calls or {} for entry in summary.entries)
    yield from dict.fromkeys(each["failure"] for each in usages if "failure" in each)
    for entry in summary.entries:
        for reason in entry.reasons:
            place = f"{entry.path}::{entry.qualname}"
            line = f" (line {reason.line})" if reason.line else ""
            yield f"{place}{line}: {reason.code}: {reason.hint}"
    for reason in summary.left_out:
        yield f"file left out: {reason}"
