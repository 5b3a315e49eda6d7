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
