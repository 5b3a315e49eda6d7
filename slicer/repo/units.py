"""Units of slicing: the statements at the top level of a module or class.

A unit is one statement, or several that share a physical line. It is kept or dropped as a whole, so
that cutting never needs a column.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ..syntax.scopes import bound_by, own_nodes
from .source import Source

UnitKind = Literal[
    "function", "class", "import", "variable", "statement", "typing", "main", "prelude"
]


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """A top-level statement of a module or of a class body (see the module's text)."""

    index: int
    nodes: tuple[ast.stmt, ...]
    """One statement, or all statements that share its lines."""
    first: int
    """First line, decorators included."""
    last: int
    binds: tuple[str, ...]
    """Names that it binds in its own scope when it runs."""
    kind: UnitKind
    """`typing`: for type checkers only; `main`: only in the main program; `prelude`: the loader of
    an emitted script.
    """

    @property
    def node(self) -> ast.stmt:
        """The first statement."""
        return self.nodes[0]

    @property
    def sole(self) -> ast.stmt | None:
        """The unit's only statement, apart from a string that documents it; else `None`."""
        rest = self.nodes[1:]
        return self.node if not rest or (len(rest) == 1 and _documents(*rest, self.node)) else None


def split_units(body: Sequence[ast.stmt], source: Source) -> tuple[Unit, ...]:
    """Cut a body into units, in source order."""
    units: list[Unit] = []
    lines = source.lines
    group: list[ast.stmt] = []
    group_last = 0
    prelude = _prelude_lines(source)
    for node in body:
        joins = group and (
            (prelude[0] <= group[0].lineno and _first_line(node) <= prelude[1])
            or _first_line(node) <= group_last
            or _continues(lines, group[-1])
            or _documents(node, group[-1])
        )
        if group and not joins:
            units.append(_unit(len(units), group))
            group = []
        group.append(node)
        group_last = node.end_lineno or node.lineno
    if group:
        units.append(_unit(len(units), group))
    return tuple(replace(u, first=prelude[0], last=prelude[1], binds=(), kind="prelude")
                 if prelude[0] <= u.first <= prelude[1] else u for u in units)  # fmt: skip


PRELUDE_BEGIN = "# >>> slice-func"
PRELUDE_END = "# <<< slice-func"


def _prelude_lines(source: Source) -> tuple[int, int]:
    """Return the first and last line of an emitted script's loader; (1, 0) in other files."""
    if PRELUDE_BEGIN not in source.text:
        return 1, 0
    starts = [n for n, line in enumerate(source.lines, 1) if line.startswith(PRELUDE_BEGIN)]
    ends = [n for n, line in enumerate(source.lines, 1) if line.startswith(PRELUDE_END)]
    return (starts[0], ends[-1]) if starts and ends and starts[0] < ends[-1] else (1, 0)


def _documents(node: ast.stmt, before: ast.stmt) -> bool:
    """Whether the statement is a string that documents the assignment above it."""
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return isinstance(before, (ast.Assign, ast.AnnAssign))
        case _:
            return False


def _continues(lines: Sequence[str], node: ast.stmt) -> bool:
    # `a = 1; \` continues on the next line
    line = lines[(node.end_lineno or node.lineno) - 1].rstrip("\r\n")
    return line.endswith("\\") and line.rstrip("\\").rstrip().endswith(";")


def _first_line(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", None)
    return min(node.lineno, decorators[0].lineno) if decorators else node.lineno


def _unit(index: int, group: list[ast.stmt]) -> Unit:
    return Unit(
        index,
        tuple(group),
        _first_line(group[0]),
        max(node.end_lineno or node.lineno for node in group),
        tuple(dict.fromkeys(name for node in group for name in bound_names(node))),
        _kind(group),
    )


def _kind(group: list[ast.stmt]) -> UnitKind:
    kinds: set[UnitKind] = {
        _statement_kind(n) for i, n in enumerate(group) if not (i and _documents(n, group[i - 1]))
    }
    return kinds.pop() if len(kinds) == 1 else "statement"


def _statement_kind(node: ast.stmt) -> UnitKind:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return "function"
        case ast.ClassDef():
            return "class"
        case ast.Import() | ast.ImportFrom():
            return "import"
        case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
            return "variable"
        case ast.If(orelse=[]) if is_main_test(node.test):
            return "main"
        case ast.If(orelse=[]) if is_typing_test(node.test):
            return "typing"
        case _:
            return "variable" if type(node).__name__ == "TypeAlias" else "statement"


def is_main_test(test: ast.expr) -> bool:
    """Whether the test is `__name__ == "__main__"`."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            texts = {ast.unparse(left), ast.unparse(right)}
            return texts == {"__name__", "'__main__'"}
        case _:
            return False


def is_typing_test(test: ast.expr) -> bool:
    """Whether the test is true for type checkers only."""
    match test:
        case ast.Name(id="TYPE_CHECKING" | "MYPY"):
            return True
        case ast.Attribute(attr="TYPE_CHECKING", value=ast.Name()):
            return True
        case _:
            return False


def overruled(node: ast.If) -> list[ast.stmt]:
    """Return statements for type checkers only whose names the other branch binds too."""
    match node.test:
        case ast.UnaryOp(op=ast.Not(), operand=test) if is_typing_test(test):
            for_checkers, running = node.orelse, node.body
        case test if is_typing_test(test):
            for_checkers, running = node.body, node.orelse
        case _:
            return []
    bound = {name for each in running for name in bound_names(each)}
    return [each for each in for_checkers if bound and bound.issuperset(bound_names(each))]


def bound_names(node: ast.stmt) -> Iterator[str]:
    """Yield the names that running the statement binds in its own scope."""
    for inner in own_nodes([node]):
        match inner:
            case ast.Name(ctx=ast.Del()):
                continue
            case ast.Call():
                yield from executed_names(inner)
            case _:
                yield from bound_by(inner)


def executed_names(call: ast.Call) -> Iterator[str]:
    """Yield the names that an `exec` of a literal text binds in its scope."""
    match call:
        case ast.Call(func=ast.Name(id="exec"), args=[ast.Constant(value=str(text))]):
            with contextlib.suppress(SyntaxError, ValueError):
                yield from (n for node in ast.parse(text).body for n in bound_names(node))
        case _:
            return
