"""Facts that `isinstance` tests, `except` clauses and class patterns imply about a name."""

from __future__ import annotations

import ast

from ...facts import Copy, InstanceOf, Variable
from ..builder import Scope
from ..fact_walk import Walk


def narrow(walk: Walk, test: ast.expr) -> dict[str, Variable]:
    """Narrow names in the branch where `isinstance(x, C)` holds: `x` may be any instance of `C`."""
    narrowed: dict[str, Variable] = {}
    tests = [test]
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        tests = test.values
    for part in tests:
        match part:
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), kinds]) if (
                name in walk.builder.scope.env
            ):
                variable = walk.builder.new()
                previous = walk.builder.scope.env[name]
                if previous is not None:
                    walk.builder.emit(Copy(previous, variable))
                instances_of(walk, kinds, variable)
                walk.builder.scope.env[name] = narrowed[name] = variable
            case _:
                pass
    return narrowed


def widen(scope: Scope, before: dict[str, Variable | None], narrowed: dict[str, Variable]) -> None:
    """Restore the values of narrowed names after the branch."""
    for name, variable in narrowed.items():
        if scope.env.get(name) == variable:
            scope.env[name] = before[name]


def denied(test: ast.expr) -> ast.expr | None:
    """Return the expression that is true if the test, `not x`, is false."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return operand
        case _:
            return None


def instances_of(walk: Walk, kinds: ast.expr, target: Variable) -> None:
    """Record that the target may hold instances of the class or tuple of classes."""
    parts = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
    for part in parts:
        value = walk.evaluate(part)
        if value is not None:
            walk.builder.emit(InstanceOf(value, target))
