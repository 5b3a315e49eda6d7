"""The measures of one run, for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_WIDTH = 22


def summary_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a summary."""
    counts = f"{found['environments']} environments of {found['repositories']} repositories"
    yield f"{counts}, {found['samples']} samples"
    for k, measure in found["pass_at"].items():
        yield _line(f"Pass@{k}", _percent(measure["value"]), _spans(measure))
    for name, label in (
        ("test_rate", "Test Rate"),
        ("exact_match", "exact match"),
        ("edit_similarity", "edit similarity"),
        ("codebleu", "CodeBLEU"),
    ):
        yield _line(label, _percent(found[name]))
    rounds = found["rounds"]
    if len(rounds) > 1:
        yield _line("by round", ", ".join(map(_percent, rounds)))
    verdicts = ", ".join(f"{count} {verdict}" for verdict, count in found["verdicts"].items())
    yield _line("verdicts", verdicts)
    tokens = f"{found['input_tokens']:,} in, {found['output_tokens']:,} out"
    yield _line("model", f"{found['requests']} requests, {tokens}, ${found['cost']:.2f}")
    seconds = found["seconds"]
    yield _line("seconds a sample", f"{seconds['mean']:.2f} (median {seconds['median']:.2f})")
    for name, parts in found["strata"].items():
        if name != "repository" and len(parts) > 1:
            yield f"by {name}"
            for label, part in parts.items():
                yield from _stratum_lines(label, part)


def _stratum_lines(label: str, part: Mapping[str, Any]) -> Iterator[str]:
    for k, measure in part["pass_at"].items():
        about = f"{_percent(measure['value'])} of {part['environments']}"
        yield _line(f"  {label}", f"Pass@{k} {about}", _span(measure["items"]))


def _line(label: str, value: str, rest: str = "") -> str:
    return f"{label:{_WIDTH}} {value}{rest and f'  {rest}'}"


def _spans(measure: Mapping[str, Any]) -> str:
    items, repositories = _span(measure["items"]), _span(measure["repositories"])
    return f"{items} by environments, {repositories} by repositories"


def _span(interval: list[float] | None) -> str:
    if interval is None:
        return "(too few for an interval)"
    return f"({100 * interval[0]:.1f} to {100 * interval[1]:.1f})"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"
