"""Which of a name's bindings may hold at a line."""

from __future__ import annotations

import ast

from ..definitions import Binder, Scope
from ..nodes import walk


def reaching(binders: list[Binder], scope: Scope, line: int | None = None) -> list[Binder]:
    """The bindings of a name that may hold at a line of its scope, or when the scope has run.

    By lines: the last assignment that runs for sure hides those before it, and what stands below
    the line counts only where a loop leads back.
    """
    if len(binders) == 1 or isinstance(scope.node, ast.Lambda):
        return binders
    body: list[ast.stmt] = getattr(scope.node, "body", [])
    sure: set[ast.AST | None] = {s for s in body if isinstance(s, ast.AugAssign)}
    sure.update(s.value for s in body if isinstance(s, (ast.Assign, ast.AnnAssign)))
    before = [b for b in binders if line is None or _end(b) < line]
    last = max((i for i, b in enumerate(before) if sure & {b.node, b.value}), default=0)
    again = [b for b in binders if line is not None and _end(b) >= line and _loops(body, line, b)]
    return [*before[last:], *again] or binders


def _end(binder: Binder) -> int:
    ends = (getattr(node, "end_lineno", None) for node in (binder.node, binder.value))
    return max(end or 0 for end in ends)


def _loops(body: list[ast.stmt], line: int, binder: Binder) -> bool:
    """Whether a loop holds both the line and the binding."""
    return any(
        isinstance(node, (ast.For, ast.AsyncFor, ast.While))
        and node.lineno <= line <= (node.end_lineno or 0)
        and node.lineno <= _end(binder) <= (node.end_lineno or 0)
        for statement in body
        if statement.lineno <= line <= (statement.end_lineno or 0)
        for node in walk(statement)
    )
