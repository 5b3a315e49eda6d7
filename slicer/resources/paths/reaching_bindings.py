"""Reaching definitions: which bindings of a name may hold at a line."""

from __future__ import annotations

import ast

from ...analysis.scopes.definitions import Binder, Scope
from ...repo.module import Module
from ...syntax.memo import memo
from ...syntax.nodes import walk


def reaching(binders: list[Binder], scope: Scope, line: int | None = None) -> list[Binder]:
    """Return the bindings of a name that may hold at a line of its scope, or after the scope has
    run.

    The analysis is by lines. The last unconditional assignment hides those before it. Bindings
    below the line count only if a loop leads back.
    """
    if len(binders) == 1 or isinstance(scope.node, ast.Lambda):
        return binders
    sure = _assigned_for_sure(scope.module, scope.node)
    before = [b for b in binders if line is None or _end(b) < line]
    last = max((i for i, b in enumerate(before) if sure & {b.node, b.value}), default=0)
    back = _last_of_loops(scope.module, scope.node, line) if line is not None else 0
    again = [b for b in binders if line is not None and line <= _end(b) <= back]
    return [*before[last:], *again] or binders


def _end(binder: Binder) -> int:
    ends = (getattr(node, "end_lineno", None) for node in (binder.node, binder.value))
    return max(end or 0 for end in ends)


@memo
def _assigned_for_sure(_module: Module, node: ast.AST) -> frozenset[ast.AST | None]:
    """Return the statements and values of assignments that run whenever the scope runs."""
    body: list[ast.stmt] = getattr(node, "body", [])
    values = (s.value for s in body if isinstance(s, (ast.Assign, ast.AnnAssign)))
    return frozenset([*values, *(s for s in body if isinstance(s, ast.AugAssign))])


@memo
def _last_of_loops(module: Module, node: ast.AST, line: int) -> int:
    """Return the last line of the scope's loops that contain the line; 0 if none does."""
    return max((end for first, end in _loops(module, node) if first <= line <= end), default=0)


@memo
def _loops(_module: Module, node: ast.AST) -> tuple[tuple[int, int], ...]:
    """Return the first and last lines of the loops inside a scope."""
    return tuple(
        (each.lineno, each.end_lineno or 0)
        for statement in getattr(node, "body", [])
        for each in walk(statement)
        if isinstance(each, (ast.For, ast.AsyncFor, ast.While))
    )
