"""Branch coverage of the target alone, from the arcs that a run collected.

What could have run is read from the source in the parent, by coverage.py's parser, so that the
figures equal those of `coverage run --branch` for the same lines. Code that runs while the module
is loaded (signatures, decorators, class bodies) belongs to no call and does not count.
"""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, cast

from .branch_conditions import Condition, conditions
from .module_statements import first_line_of

if TYPE_CHECKING:
    from coverage.parser import PythonParser

Arc = tuple[int, int]


@dataclass(frozen=True, slots=True)
class MissingBranch:
    """A branch that no case took."""

    line: int
    to: int | None
    """The line that never followed; `None` if the function was never left from here."""
    why: str
    """The condition that would have had to hold; empty if unknown."""

    def __str__(self) -> str:
        way = f"jumped to line {self.to}" if self.to else "left the function"
        return f"line {self.line} never {way}" + (f": {self.why}" if self.why else "")


@dataclass(frozen=True, slots=True)
class BranchCoverage:
    """The parts of the target that the cases reached."""

    lines: int
    """Statements that could have run."""
    missing_lines: tuple[int, ...]
    branches: int
    """Branches: the successors of lines that have several."""
    missing: tuple[MissingBranch, ...]
    is_called: bool

    @property
    def taken(self) -> int:
        """Return the number of branches that were taken."""
        return self.branches - len(self.missing)

    @property
    def share(self) -> float:
        """Return the covered share of branches from 0 to 1; of lines if there are no branches."""
        if self.branches:
            return self.taken / self.branches
        if self.lines:
            return 1 - len(self.missing_lines) / self.lines
        return float(self.is_called)


def parsed_arcs(record: object) -> frozenset[Arc]:
    """Return the arcs in a record from the sandbox; malformed ones are left out."""
    items = cast("list[object]", record) if isinstance(record, list) else []
    found: set[Arc] = set()
    for item in items:
        match item:
            case [int() as before, int() as line] if {type(before), type(line)} == {int}:
                found.add((before, line))
            case _:
                pass
    return frozenset(found)


def branch_coverage(
    text: str, first: int, last: int, arcs: frozenset[Arc], *, offset: int = 0
) -> BranchCoverage:
    """Compare the arcs of a run with the possible branches of the target.

    Lines excluded by comments such as `pragma: no cover` do not count, unless nothing else is left.

    Args:
        text: Source of the script or the module that holds the target.
        first: Its first line there, decorators included.
        last: Its last line.
        arcs: What was collected, on any number of runs.
        offset: Added to the lines that are reported, to give those of the repository's file.

    Raises:
        SyntaxError: the lines are not whole definitions.
    """
    possible = _possible(_cut(text, first, last))
    parser = possible.parser
    seen = parser.translate_lines({line for arc in arcs for line in arc if line > 0})
    taken = _taken(parser, arcs)
    missing = [
        arc
        for arc in sorted(possible.branches - taken)
        if arc[0] not in possible.optional and arc[1] not in parser.excluded
    ]
    return BranchCoverage(
        lines=len(possible.statements),
        missing_lines=tuple(sorted(line + offset for line in possible.statements - seen)),
        branches=sum(possible.exits.values()),
        missing=tuple(_missing(possible, arc, arc[0] in seen, offset) for arc in missing),
        is_called=bool(arcs),
    )


def covered_branches(
    text: str, first: int, last: int, arcs: frozenset[Arc]
) -> frozenset[int | Arc]:
    """Return the counted statements and branches that these arcs took."""
    possible = _possible(_cut(text, first, last))
    seen = possible.parser.translate_lines({line for arc in arcs for line in arc if line > 0})
    return frozenset(
        (*(seen & possible.statements), *(_taken(possible.parser, arcs) & possible.branches))
    )


def _missing(possible: _Possible, arc: Arc, has_run: bool, offset: int) -> MissingBranch:
    line, to = arc
    why = possible.conditions.get(line)
    text = (why.why_never(to) if why else "") if has_run else f"line {line + offset} never ran"
    return MissingBranch(line + offset, to + offset if to > 0 else None, text)


def _taken(parser: PythonParser, arcs: frozenset[Arc]) -> set[Arc]:
    """Return the arcs between statements; a self-loop takes the statement's only successor."""
    successors: dict[int, set[int]] = defaultdict(set)
    for before, line in parser.arcs():
        successors[before].add(line)
    found = parser.translate_arcs(arcs)
    moves = {arc for arc in found if arc[0] != arc[1]}
    for before in {arc[0] for arc in found - moves}:
        if len(successors[before]) == 1:
            moves |= {(before, line) for line in successors[before]}
    return parser.translate_arcs(moves)


# ------------------------------------------------------------------------ what could have run


@dataclass(frozen=True, slots=True)
class _Possible:
    """The lines and branches of the target's function bodies."""

    parser: PythonParser
    """Its results are computed once; nothing changes them."""
    statements: frozenset[int]
    exits: Mapping[int, int]
    """Number of successors of each line that has several."""
    branches: frozenset[Arc]
    """The arcs from those lines."""
    optional: frozenset[int]
    """Lines whose other branch cannot be taken, as for `while True:`, or need not be."""
    conditions: Mapping[int, Condition]


@functools.lru_cache(maxsize=256)
def _possible(text: str) -> _Possible:
    tree = ast.parse(text)
    lines = {line for span in _bodies(tree) for line in range(span[0], span[1] + 1)}
    parser, statements = _parsed(text, lines, with_exclusions=True)
    if not statements:
        parser, statements = _parsed(text, lines, with_exclusions=False)
    # a function on a single line has an arc to the line below it, too
    alone = {line for node in ast.walk(tree) for line in _on_one_line(node)}
    exits = {
        at: count
        for at, count in parser.exit_counts().items()
        if at in lines and count > 1 and at not in alone
    }
    return _Possible(
        parser,
        frozenset(statements),
        exits,
        frozenset(arc for arc in parser.arcs() if arc[0] in exits),
        frozenset((*parser.lines_matching(_patterns()[1]), *_certain(tree))),
        dict(conditions(tree, parser.first_line)),
    )


def _on_one_line(node: ast.AST) -> Iterator[int]:
    """Yield the line of a function whose body is on the same line: it has one successor."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        inner = [each for each in ast.walk(node) if isinstance(each, ast.stmt)]
        if {each.lineno for each in inner} == {node.lineno}:
            yield node.lineno


def _certain(tree: ast.AST) -> Iterator[int]:
    """Yield lines whose condition is the same for all inputs.

    Every object has what `object` has, and one interpreter has one version. A loop that always
    returns in its first iteration, over something just tested to be non-empty, never ends normally.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.While) and _is_certain(node.test):
            yield node.lineno
        for field in ("body", "orelse", "finalbody"):
            body = cast("object", getattr(node, field, None))
            if isinstance(body, list):
                yield from (loop.lineno for loop in _left_at_once(cast("list[ast.stmt]", body)))


def _left_at_once(body: Sequence[ast.stmt]) -> Iterator[ast.For]:
    """Yield loops left in the first iteration, over something just tested to be non-empty."""
    for before, statement in pairwise(body):
        match before, statement:
            case (
                ast.If(
                    test=ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name)),
                    body=[*_, ast.Return() | ast.Raise()],
                    orelse=[],
                ),
                ast.For(iter=ast.Name(id=iterated), body=[*_, ast.Return() | ast.Raise()]),
            ) if name == iterated and not any(map(_goes_on, ast.walk(statement))):
                yield statement
            case _:
                pass


def _goes_on(node: ast.AST) -> bool:
    return isinstance(node, ast.Continue | ast.Break)


def _is_certain(test: ast.expr) -> bool:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _is_certain(inner)
        case ast.Call(func=ast.Name(id="hasattr"), args=[_, ast.Constant(value=str() as name)]):
            return hasattr(object, name)
        case ast.Compare(left=left):
            compared = left.value if isinstance(left, ast.Subscript) else left
            return ast.unparse(compared) == "sys.version_info"
        case _:
            return False


def _parsed(
    text: str, lines: Container[int], *, with_exclusions: bool
) -> tuple[PythonParser, set[int]]:
    from coverage.parser import PythonParser

    parser = PythonParser(text, exclude=_patterns()[0] if with_exclusions else None)
    parser.parse_source()
    return parser, {line for line in parser.statements if line in lines}


@functools.cache
def _patterns() -> tuple[str, str]:
    """Return coverage.py's default patterns of excluded lines and of partial branches."""
    from coverage.config import CoverageConfig

    config = CoverageConfig()
    one_way = [*config.partial_list, *config.partial_always_list]
    return _any_of(config.exclude_list), _any_of(one_way)


def _any_of(patterns: Iterable[str]) -> str:
    return "|".join(f"(?:{pattern})" for pattern in patterns)


def _cut(text: str, first: int, last: int) -> str:
    """Return the target's lines alone at their positions, so that a large file need not be parsed.

    Comments stand before them: the patterns would scan blank lines quadratically.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[first - 1 : last]
    is_inner = lines[0][:1].isspace()
    before = "#\n" * (first - 2) + "if 1:\n" if is_inner else "#\n" * (first - 1)
    return before + "\n".join(lines) + "\n"


def _bodies(node: ast.AST) -> Iterator[tuple[int, int]]:
    """Yield first and last line of the bodies of outermost functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield first_line_of(child.body[0]), child.end_lineno or child.lineno
        elif not isinstance(child, ast.expr):
            yield from _bodies(child)
