"""Facts of assignment targets: names, attributes, items and nested lists of them."""

from __future__ import annotations

import ast

from ...facts import NewContainer, Store, StoreItem, Unpack, Variable
from ..fact_walk import Walk
from .inplace_changes import add_mutation


def assign(walk: Walk, target: ast.expr, value: Variable | None) -> None:
    """Bind a target to the value."""
    builder = walk.builder
    match target:
        case ast.Name():
            builder.bind(target.id, value)
        case ast.Attribute():
            _assign_attribute(walk, target, value)
        case ast.Subscript():
            add_mutation(walk, target.value)
            container = walk.evaluate(target.value)
            key = walk.evaluate(target.slice)
            if container is not None:
                caller = builder.scope.definition
                builder.emit(StoreItem(container, key, value, caller, target.lineno))
        case ast.Starred():
            assign(walk, target.value, value)
        case ast.Tuple() | ast.List():
            _unpack(walk, target, value)
        case _:
            pass


def assign_matched(walk: Walk, target: ast.expr, node: ast.expr) -> None:
    """Bind a target to an expression, item by item where both are displays."""
    pairs = matched_pairs(target, node)
    if pairs is None:
        assign(walk, target, walk.evaluate(node))
        return
    values = [
        (part, None if isinstance(source, list) else walk.evaluate(source), source)
        for part, source in pairs
    ]
    for part, value, source in values:
        if isinstance(source, list):
            assign(walk, part, _list_of(walk, [walk.evaluate(item) for item in source]))
        else:
            assign(walk, part, value)


def matched_pairs(
    target: ast.expr, node: ast.expr
) -> list[tuple[ast.expr, ast.expr | list[ast.expr]]] | None:
    """Return the leaves of a target list with their sources; `None` if they cannot be paired."""
    if not (isinstance(target, (ast.Tuple, ast.List)) and isinstance(node, (ast.Tuple, ast.List))):
        return None
    if any(isinstance(item, ast.Starred) for item in node.elts):
        return None
    parts, sources = target.elts, node.elts
    star = next((i for i, part in enumerate(parts) if isinstance(part, ast.Starred)), None)
    if len(parts) != len(sources) if star is None else len(parts) - 1 > len(sources):
        return None
    grouped: list[ast.expr | list[ast.expr]] = [*sources]
    if star is not None:
        after = len(parts) - star - 1
        end = len(sources) - after
        grouped = [*sources[:star], sources[star:end], *sources[end:]]
    pairs: list[tuple[ast.expr, ast.expr | list[ast.expr]]] = []
    for part, source in zip(parts, grouped, strict=True):
        inner = None if isinstance(source, list) else matched_pairs(part, source)
        pairs += [(part, source)] if inner is None else inner
    return pairs


def _list_of(walk: Walk, values: list[Variable | None]) -> Variable:
    items = tuple((i, value) for i, value in enumerate(values) if value is not None)
    target = walk.builder.new()
    walk.builder.emit(NewContainer(target, "list", items, ()))
    return target


def _assign_attribute(walk: Walk, target: ast.Attribute, value: Variable | None) -> None:
    builder = walk.builder
    scope = builder.scope
    if isinstance(target.value, ast.Name) and target.value.id == scope.receiver:
        scope.stored.add(target.attr)
    else:
        add_mutation(walk, target.value)
    owner = walk.evaluate(target.value)
    if owner is not None:
        builder.emit(Store(owner, target.attr, value, scope.definition, target.lineno))


def _unpack(walk: Walk, target: ast.Tuple | ast.List, value: Variable | None) -> None:
    builder = walk.builder
    caller = builder.scope.definition
    star = next((i for i, t in enumerate(target.elts) if isinstance(t, ast.Starred)), None)
    for index, part in enumerate(target.elts):
        if value is None:
            assign(walk, part, None)
            continue
        item = builder.new()
        if star is None or index < star:
            place: int | None = index
        else:
            place = None if index == star else index - len(target.elts)
        builder.emit(Unpack(value, place, item, caller, target.lineno))
        if index == star:
            whole = builder.new()
            builder.emit(NewContainer(whole, "list", ((None, item),), ()))
            item = whole
        assign(walk, part, item)


def augmented(walk: Walk, target: ast.expr) -> Variable | None:
    """Return the old value of an augmented assignment's target."""
    if isinstance(target, ast.Name):
        if walk.builder.scope.kind != "module":
            add_mutation(walk, target)
        return walk.builder.read(target.id, (), target.lineno)
    return walk.evaluate(target)
