"""Facts of control flow: branches keep a value for each name, loops and `try` do not."""

from __future__ import annotations

import ast

from ...facts import Enter, Raise, Variable
from ..expressions.comprehensions import iterate
from ..expressions.invocations import discard
from ..expressions.operations_read import truth
from ..fact_walk import Walk
from ..targets.assignment_facts import module_variables
from ..targets.assignment_targets import assign
from .tested_classes import denied, instances_of, narrow, widen


def branch(walk: Walk, node: ast.If) -> bool:
    """Walk `if`: both branches, and the merged values of names after them."""
    scope = walk.builder.scope
    truth(walk, node.test)
    before = dict(scope.env)
    narrowed = narrow(walk, node.test)
    body_falls = walk.execute(node.body)
    widen(scope, before, narrowed)
    after_body = scope.env
    scope.env = dict(before)
    excluded = denied(node.test)
    if excluded is not None and (node.orelse or not body_falls):
        narrow(walk, excluded)
    else_falls = walk.execute(node.orelse)
    if not else_falls and body_falls:
        scope.env = after_body
    elif body_falls:
        scope.env = _merged(walk, after_body, scope.env)
    return body_falls or else_falls


def _merged(
    walk: Walk, one: dict[str, Variable | None], other: dict[str, Variable | None]
) -> dict[str, Variable | None]:
    merged = dict(other)
    for name, variable in one.items():
        if name not in other:
            merged[name] = variable
        elif other[name] != variable:
            merged[name] = walk.builder.union([variable, other[name]])
    return merged


def loop(walk: Walk, node: ast.For | ast.AsyncFor) -> bool:
    """Walk `for`."""
    items = iterate(walk, node.iter, is_async=isinstance(node, ast.AsyncFor))
    with walk.builder.referring(module_variables(walk, [node.target], node), "initialises"):
        assign(walk, node.target, items)
    walk.execute(node.body)
    walk.execute(node.orelse)
    return True


def while_loop(walk: Walk, node: ast.While) -> bool:
    """Walk `while`."""
    truth(walk, node.test)
    walk.execute(node.body)
    walk.execute(node.orelse)
    return True


def enter_contexts(walk: Walk, node: ast.With | ast.AsyncWith) -> bool:
    """Walk `with`."""
    builder = walk.builder
    for item in node.items:
        source = walk.evaluate(item.context_expr)
        target: Variable | None = None
        if source is not None:
            target = None if item.optional_vars is None else builder.new()
            caller = builder.scope.definition
            is_async = isinstance(node, ast.AsyncWith)
            builder.emit(Enter(source, target, caller, node.lineno, is_async))
        if item.optional_vars is not None:
            module_variables(walk, [item.optional_vars], node)
            assign(walk, item.optional_vars, target)
    walk.execute(node.body)
    return True


def try_statement(walk: Walk, node: ast.Try | ast.TryStar) -> bool:
    """Walk `try` with its handlers."""
    falls = walk.execute(node.body) and walk.execute(node.orelse)
    for handler in node.handlers:
        if handler.type is not None:
            caught = walk.builder.new()
            instances_of(walk, handler.type, caught)
            if handler.name:
                walk.builder.bind(handler.name, caught)
        falls = walk.execute(handler.body) or falls
    return walk.execute(node.finalbody) and falls


def raise_statement(walk: Walk, node: ast.Raise) -> bool:
    """Walk `raise`."""
    for part in (node.exc, node.cause):
        value = walk.evaluate(part)
        if value is not None and not isinstance(part, ast.Call):
            walk.builder.emit(Raise(value, walk.builder.scope.definition, node.lineno))
    return False


def jump(walk: Walk, node: ast.Break | ast.Continue) -> bool:
    """Walk `break` and `continue`."""
    del walk, node
    return False


def expression_statement(walk: Walk, node: ast.Expr) -> bool:
    """Walk an expression whose value is dropped."""
    discard(walk, node.value)
    return True


def assertion(walk: Walk, node: ast.Assert) -> bool:
    """Walk `assert`; what it implies about a name holds from here on."""
    truth(walk, node.test)
    walk.evaluate(node.msg)
    narrow(walk, node.test)
    return True
