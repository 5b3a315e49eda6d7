"""What a dataset holds, on a few lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...console.progress import format_size
from ..storage.columns import IN_REFERENCE_SET, EnvironmentRow
from ..storage.dataset import Dataset

_FIRST = 3
"""Number of reasons that the end of a build names."""
_MOST = 10
"""Maximum number of reasons and licences that are shown."""


def summary_lines(dataset: Dataset) -> Iterator[str]:
    """Yield the counts of a dataset."""
    manifest = dataset.manifest
    counts = manifest["counts"]
    made = counts["environments"]
    tried = counts.get("functions", 0)
    if counts.get("repositories"):
        yield f"{counts['repositories']:>8,} repositories"
    if tried:
        yield f"{tried:>8,} functions"
    yield f"{made:>8,} environments{f' ({made / tried:.1%} of the functions)' if tried else ''}"
    for name, number in counts.get("splits", {}).items():
        yield f"{number:>8,} in {name}"
    if counts.get("duplicates"):
        yield f"{counts['duplicates']:>8,} duplicates left out"
    if counts.get("in_reference_sets"):
        yield f"{counts['in_reference_sets']:>8,} left out that are in a reference set"
    yield from _most("licence", counts.get("licences", {}))
    yield from _most("not", counts.get("reasons", {}))
    size = sum(
        each["bytes"]
        for files in (*manifest.get("tables", {}).values(), manifest.get("blobs", ()))
        for each in files
    )
    if size:
        number, unit = format_size(size).split()
        yield f"{number:>8} {unit}"


def lost_lines(reasons: Mapping[str, int]) -> Iterator[str]:
    """Yield the most frequent reasons why functions became no environment."""
    ordered = sorted(reasons.items(), key=lambda each: (-each[1], each[0]))[:_FIRST]
    if ordered:
        most = "most frequent reasons" if len(reasons) > _FIRST else "reasons"
        told = ", ".join(f"{name} {number:,}" for name, number in ordered)
        yield f"{most} of those that became none: {told}"


def rejected_lines(dataset: Dataset) -> Iterator[str]:
    """Yield a line for each function that became no environment: where it is, and why."""
    for row in dataset.functions():
        if row.environment is None:
            detail = row.detail
            if row.duplicate_of is not None:
                is_reference = IN_REFERENCE_SET in row.reasons
                start = "it is in a reference set, like" if is_reference else "it is like"
                detail = f"{start} {row.duplicate_of}"
            codes = ",".join(row.reasons)
            yield f"{row.repo}  {row.path}::{row.qualname}  {codes}  {_one_line(detail)}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def environment_lines(row: EnvironmentRow) -> Iterator[str]:
    """Yield what a dataset says of one environment."""
    yield f"{row.repo} {row.path}::{row.qualname}"
    yield f"id {row.id}"
    yield f"commit {row.commit or 'unknown'}, licence {row.licence or 'unknown'}, in {row.split}"
    yield f"{row.cases} cases, {row.hidden} hidden ones"
    yield f"{row.same} of {row.compared} cases that were compared are as in the repository"
    rates = (("branches", row.branch_coverage), ("mutants killed", row.kill_rate))
    yield ", ".join(f"{name} {rate:.0%}" for name, rate in rates if rate is not None)
    yield f"needs {', '.join(row.requirements) or 'nothing'}"
    yield f"stand-ins: {', '.join(row.mocks) or 'none'}"
    yield ""
    yield row.prompt


def _most(word: str, counts: dict[str, int]) -> Iterator[str]:
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    for name, number in ordered[:_MOST]:
        yield f"{number:>8,} {word}: {name}"
    if len(ordered) > _MOST:
        yield f"         and {len(ordered) - _MOST} others"
