"""The target as a model sees it: its text, numbered lines, and the lines that are not reached."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...slicer.errors import SourceError
from ...verifier.mutation.mutated_block import block_of
from ...verifier.script.source_map import lines_of, original_text
from ...verifier.script.target_lines import target_definitions, traced_lines

if TYPE_CHECKING:
    from pathlib import Path

    from ...slicer.model import Slice
    from ...verifier.script.branch_coverage import BranchCoverage

MOST_MISSING = 12
"""Maximum number of branches, or lines, that are listed."""


def target_text(folder: Path, sliced: Slice) -> str:
    """Return all definitions of the target in the repository; empty if there is none."""
    (target, *_) = sliced.manifest.targets
    text = original_text(folder / target.path)
    lines = lines_of(text)
    found = [
        "\n".join([*lines[each.first_line - 1 : each.last_line], ""])
        for each in target_definitions(text, sliced.manifest, target, overloads=False)
    ]
    return "\n".join(found)


def numbered_target(folder: Path, sliced: Slice, qualname: str) -> Iterator[str]:
    """Yield the target's lines with their numbers in the running text, as coverage has them."""
    try:
        traced = traced_lines(folder, sliced)
    except SourceError:
        return
    for each in traced[:1]:
        block = block_of(each, qualname)
        for number, line in enumerate(block.lines, block.first):
            yield f"{number:>5}  {line.decode('utf-8', 'replace')}"


def format_uncovered(coverage: BranchCoverage | None) -> Iterator[str]:
    """Yield the branches that were not taken, or else the lines that did not run."""
    if coverage is None or not coverage.is_called:
        yield "No call has reached the function at all."
        return
    yield from map(str, coverage.missing[:MOST_MISSING])
    if not coverage.missing:
        yield from (f"line {line}" for line in coverage.missing_lines[:MOST_MISSING])
