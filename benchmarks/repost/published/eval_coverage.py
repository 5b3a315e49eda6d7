"""Coverage of a function in an eval script: by several measures, one as the data set recorded it.

The data set's `coverage_rate` is what its program computed, which differs from branch coverage of
the function in three ways: a function without `if`, `for`, `while` and `try` counts as covered;
else coverage.py's total is taken, of lines and branches together; and all other lines of the
script were excluded by a comment, which for a method excludes the class with the method in it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from coverage.parser import PythonParser
from slicefunc.verifier.script.branch_coverage import Arc, branch_coverage

from .eval_candidate import Span

_BRANCHING = (ast.If, ast.For, ast.While, ast.Try)
_EXCLUDED = "# pragma: no cover"


@dataclass(frozen=True, slots=True)
class Measures:
    """Shares from 0 to 1."""

    branches: float
    """Of the ways on from lines with several; of the lines where there are none: our measure."""
    together: float
    """Of lines and branches in one, as coverage.py's total."""
    lines: float
    as_recorded: float
    """As the data set's program counts."""
    because: str
    """Why that is 1 whatever ran; empty where it was measured."""
    is_called: bool
    missing: tuple[str, ...]
    """The branches that were not taken, for people."""


def measures(text: str, span: Span, arcs: frozenset[Arc]) -> Measures:
    """All measures of the function in these lines, from the arcs of a run."""
    first, last = span
    own = frozenset(arc for arc in arcs if all(first <= abs(line) <= last for line in arc))
    found = branch_coverage(text, first, last, own)
    lines_run = found.lines - len(found.missing_lines)
    together = _share(lines_run + found.taken, found.lines + found.branches)
    because = why_full(text, span)
    return Measures(
        branches=round(found.share, 4),
        together=together,
        lines=_share(lines_run, found.lines),
        as_recorded=1.0 if because else together,
        because=because,
        is_called=found.is_called,
        missing=tuple(map(str, found.missing)),
    )


def why_full(text: str, span: Span) -> str:
    """Why the data set's program says 1 without looking at what ran; empty where it looks."""
    first, last = span
    inside = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, _BRANCHING) and first <= node.lineno <= last
    ]
    if not inside:
        return "no-branching-statement"
    marked = [
        f"{line}  {_EXCLUDED}"
        if not first <= number <= last and line.strip() and not line.endswith("\\")
        else line
        for number, line in enumerate(text.split("\n"), 1)
    ]
    parser = PythonParser("\n".join(marked), exclude=_EXCLUDED)
    parser.parse_source()
    counted = {line for line in parser.statements if first <= line <= last}
    return "" if counted else "class-excluded"


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 1.0
