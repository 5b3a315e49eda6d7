"""Units of slicing: the statements at the top level of a module or class.

A unit is one statement, or several that share a physical line. It is kept or dropped as a whole, so
that cutting never needs a column.
"""

from __future__ import annotations

import ast
import contextlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ..syntax.nodes import children, walk
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
    bound = set(_all_bound(running))
    return [each for each in for_checkers if bound and bound.issuperset(bound_names(each))]


def bound_names(node: ast.stmt) -> Iterator[str]:  # noqa: C901 - a case for each kind of statement
    """Yield the names that running the statement binds in its own scope."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.Assign():
            for target in node.targets:
                yield from target_names(target)
        case ast.AnnAssign() | ast.AugAssign():
            yield from target_names(node.target)
        case ast.Import():
            for alias in node.names:
                yield alias.asname or alias.name.split(".")[0]
        case ast.ImportFrom():
            for alias in node.names:
                if alias.name != "*":
                    yield alias.asname or alias.name
        case ast.For() | ast.AsyncFor():
            yield from target_names(node.target)
            yield from _all_bound(node.body + node.orelse)
        case ast.While() | ast.If():
            yield from _all_bound(node.body + node.orelse)
        case ast.With() | ast.AsyncWith():
            for item in node.items:
                if item.optional_vars:
                    yield from target_names(item.optional_vars)
            yield from _all_bound(node.body)
        case ast.Try() | ast.TryStar():
            yield from _all_bound(node.body)
            for handler in node.handlers:
                if handler.name:
                    yield handler.name
                yield from _all_bound(handler.body)
            yield from _all_bound(node.orelse + node.finalbody)
        case ast.Match():
            for case in node.cases:
                yield from pattern_names(case.pattern)
                yield from _all_bound(case.body)
        case ast.Expr(value=ast.Call() as call):
            yield from executed_names(call)
        case _:
            if sys.version_info >= (3, 12) and isinstance(node, ast.TypeAlias):
                yield from target_names(node.name)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        for part in (*node.decorator_list, *node.args.defaults, *node.args.kw_defaults):
            if part is not None:
                yield from _walrus_names(ast.Expr(part))
    elif not isinstance(node, ast.ClassDef):
        yield from _walrus_names(node)


def _all_bound(body: Iterable[ast.stmt]) -> Iterator[str]:
    for node in body:
        yield from bound_names(node)


def executed_names(call: ast.Call) -> Iterator[str]:
    """Yield the names that an `exec` of a literal text binds in its scope."""
    match call:
        case ast.Call(func=ast.Name(id="exec"), args=[ast.Constant(value=str(text))]):
            with contextlib.suppress(SyntaxError, ValueError):
                yield from _all_bound(ast.parse(text).body)
        case _:
            return


def target_names(target: ast.expr) -> Iterator[str]:
    """Yield the names that an assignment target binds."""
    match target:
        case ast.Name():
            yield target.id
        case ast.Tuple() | ast.List():
            for element in target.elts:
                yield from target_names(element)
        case ast.Starred():
            yield from target_names(target.value)
        case _:
            return


def pattern_names(pattern: ast.pattern) -> Iterator[str]:
    """Yield the names that a `case` pattern captures."""
    for node in walk(pattern):
        match node:
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name
            case _:
                continue


_EXPRESSION_FIELDS = ("value", "test", "iter", "subject", "items")


def _walrus_names(node: ast.stmt) -> Iterator[str]:
    # only the statement's own expressions; nested statements are handled separately
    stack: list[ast.AST] = []
    for field in _EXPRESSION_FIELDS:
        value: ast.AST | list[ast.AST] | None = getattr(node, field, None)
        if isinstance(value, ast.AST):
            stack.append(value)
        elif isinstance(value, list):
            stack.extend(value)
    while stack:
        item = stack.pop()
        if isinstance(item, (ast.Constant, ast.Name, ast.Lambda)):
            continue
        if isinstance(item, ast.NamedExpr):
            yield from target_names(item.target)
        stack.extend(children(item))
