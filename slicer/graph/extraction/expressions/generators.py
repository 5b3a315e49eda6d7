"""Facts of generators and awaits: which values are yielded or awaited."""

from __future__ import annotations

import ast

from ...facts import Copy, Iterate, Variable
from ..builder import Scope
from ..fact_walk import Walk
from .operations_read import emit_operation


def yield_value(walk: Walk, node: ast.Yield) -> None:
    """Record `yield value`."""
    value = walk.evaluate(node.value)
    target = _yields(walk)
    if value is not None and target is not None:
        walk.builder.emit(Copy(value, target))


def yield_from(walk: Walk, node: ast.YieldFrom) -> None:
    """Record `yield from value`."""
    value = walk.evaluate(node.value)
    if value is not None:
        caller = walk.builder.scope.definition
        walk.builder.emit(Iterate(value, _yields(walk), caller, node.lineno, False))


def _yields(walk: Walk) -> Variable | None:
    scope: Scope | None = walk.builder.scope
    while scope is not None and scope.kind == "comprehension":
        scope = scope.parent
    if scope is None or scope.kind != "function":
        return None
    if scope.yields is None:
        scope.yields = walk.builder.new()
    return scope.yields


def await_value(walk: Walk, node: ast.Await) -> Variable | None:
    """Record `await value`."""
    value = walk.evaluate(node.value)
    if value is not None and not isinstance(node.value, ast.Call):
        emit_operation(walk, value, "__await__", "", None, None, node.lineno)
    return value
