"""Facts of comprehensions, and the values that iterating over an expression yields."""

from __future__ import annotations

import ast

from ...facts import ContainerKind, Iterate, NewContainer, StoreItem, Variable
from ..builder import Scope
from ..fact_walk import Walk
from ..scope_bindings import Bindings
from ..targets.assignment_targets import assign
from .operations_read import truth


def comprehension(
    walk: Walk, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
) -> Variable | None:
    """Walk a comprehension or generator expression, in a scope of its own."""
    builder = walk.builder
    outer = builder.scope
    inner = Scope("comprehension", outer.definition, outer, Bindings(set(), set(), set(), set()))
    inner.klass = outer.klass
    inner.function = outer.function
    inner.receiver = outer.receiver
    for index, clause in enumerate(node.generators):
        if index:
            builder.scope = inner
        items = iterate(walk, clause.iter, is_async=bool(clause.is_async))
        builder.scope = inner
        for name in _names(clause.target):
            inner.env[name] = None
        assign(walk, clause.target, items)
        for test in clause.ifs:
            truth(walk, test)
    key: Variable | None = None
    if isinstance(node, ast.DictComp):
        key = walk.evaluate(node.key)
        value = walk.evaluate(node.value)
    else:
        value = walk.evaluate(node.elt)
    builder.scope = outer
    kind: ContainerKind = "list"
    if isinstance(node, (ast.SetComp, ast.DictComp)):
        kind = "set" if isinstance(node, ast.SetComp) else "dict"
    target = builder.new()
    items_known = ((None, value),) if value is not None and key is None else ()
    builder.emit(NewContainer(target, kind, items_known, ()))
    if value is not None and key is not None:
        builder.emit(StoreItem(target, key, value, outer.definition, node.lineno))
    return target


def iterate(walk: Walk, node: ast.expr, *, is_async: bool = False) -> Variable | None:
    """Return the variable that holds the items of an iterable expression."""
    source = walk.evaluate(node)
    if source is None:
        return None
    target = walk.builder.new()
    caller = walk.builder.scope.definition
    walk.builder.emit(Iterate(source, target, caller, node.lineno, is_async))
    return target


def _names(target: ast.expr) -> list[str]:
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]
