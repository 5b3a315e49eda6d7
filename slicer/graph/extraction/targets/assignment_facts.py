"""Facts of assignments and `del`, and the module-level variables that they define."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ...facts import Copy, Operate, Variable
from ...language_tables import OPERATORS
from ..fact_walk import Walk
from ..scope_bindings import type_alias_name
from .assignment_targets import assign, assign_matched, augmented
from .declared_classes import declare
from .inplace_changes import add_mutation


def assignment(walk: Walk, node: ast.Assign) -> bool:
    """Record `a = b = value`."""
    with walk.builder.referring(module_variables(walk, node.targets, node), "initialises"):
        if len(node.targets) == 1 or isinstance(node.value, (ast.Tuple, ast.List)):
            for target in node.targets:
                assign_matched(walk, target, node.value)
        else:
            value = walk.evaluate(node.value)
            for target in node.targets:
                assign(walk, target, value)
    match node.targets:
        case [ast.Name(id="__all__")] if walk.builder.scope.kind == "module":
            walk.exports = _literal_names(node.value)
        case _:
            pass
    return True


def _literal_names(node: ast.expr) -> tuple[str, ...] | None:
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items):
            names = [i.value for i in items if isinstance(i, ast.Constant)]
            if len(names) == len(items):
                return tuple(name for name in names if isinstance(name, str))
        case _:
            pass
    return None


def annotated_assignment(walk: Walk, node: ast.AnnAssign) -> bool:
    """Record `a: T = value`."""
    builder = walk.builder
    with walk.builder.referring(module_variables(walk, [node.target], node), "initialises"):
        value = walk.evaluate(node.value)
        holder = builder.new()
        if value is not None:
            builder.emit(Copy(value, holder))
        declare(walk, node.annotation, holder, builder.scope.klass)
        assign(walk, node.target, holder)
    return True


def augmented_assignment(walk: Walk, node: ast.AugAssign) -> bool:
    """Record `a += value`."""
    builder = walk.builder
    if isinstance(node.target, ast.Name) and node.target.id == "__all__":
        walk.exports = None
    with walk.builder.referring(module_variables(walk, [node.target], node), "initialises"):
        old = augmented(walk, node.target)
        value = walk.evaluate(node.value)
        result: Variable | None = old
        if old is not None:
            plain, _ = OPERATORS[type(node.op)]
            result = builder.new()
            builder.emit(Copy(old, result))
            in_place = f"__i{plain[2:]}"
            caller = builder.scope.definition
            builder.emit(Operate(old, in_place, plain, value, result, caller, node.lineno))
        assign(walk, node.target, result)
    return True


def type_alias(walk: Walk, node: ast.stmt) -> bool:
    """Record `type A = value`."""
    name, value = type_alias_name(node), getattr(node, "value", None)
    if isinstance(name, ast.Name) and isinstance(value, ast.expr):
        with walk.builder.referring(module_variables(walk, [name], node), "initialises"):
            walk.builder.bind(name.id, walk.evaluate(value))
    return True


def bind_walrus(walk: Walk, node: ast.NamedExpr) -> Variable | None:
    """Record `(a := value)`."""
    value = walk.evaluate(node.value)
    walk.builder.bind(node.target.id, value)
    return value


def delete_items(walk: Walk, node: ast.Delete) -> bool:
    """Record `del a[key]`."""
    builder = walk.builder
    for target in node.targets:
        if isinstance(target, ast.Subscript):
            add_mutation(walk, target.value)
            value = walk.evaluate(target.value)
            walk.evaluate(target.slice)
            caller = builder.scope.definition
            if value is not None:
                line = target.lineno
                builder.emit(Operate(value, "__delitem__", "", None, None, caller, line))
    return True


def module_variables(walk: Walk, targets: Sequence[ast.expr], node: ast.stmt) -> tuple[int, ...]:
    """Return the definitions of the module-level variables that the targets bind."""
    builder = walk.builder
    if builder.scope.kind != "module":
        return ()
    names = [
        part.id
        for target in targets
        for part in ast.walk(target)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    ]
    end_line = node.end_lineno or node.lineno
    return tuple(builder.define_variable(name, node.lineno, end_line) for name in names)
