"""Visitor for operators, displays and tests: which special methods they call on their operands."""

from __future__ import annotations

import ast
import re

from ....syntax.builtin_models import (
    BINARY,
    COMPARE,
    EQUALITY,
    ITERATION,
    NUMBER,
    SIZED_ITERATION,
    TEXT,
    TRUTH,
    UNARY,
)
from ...values.abstract_values import ExternalInstance, Values
from ..guards.tested_members import add_tested_member
from ..use_walk import Walk
from ..values_with_members import contained_values

_OF_NUMBER = re.compile(r"%[^a-zA-Z%]*[diouxXeEfFgGc]")
"""A conversion of `%` that turns its value into a number."""


def visit_bin_op(walk: Walk, node: ast.BinOp) -> None:
    """Visit an arithmetic operator, or a union in an annotation."""
    if walk.role == "annotation":
        walk.visit(node.left, "annotation")
        walk.visit(node.right, "annotation")
        return
    walk.visit(node.left)
    walk.visit(node.right)
    _binary(walk, node.left, node.op, node.right)


def _binary(walk: Walk, left: ast.expr, op: ast.operator, right: ast.expr) -> None:
    stem = BINARY[type(op).__name__]
    if isinstance(op, ast.Mod) and _is_text(walk.values(left)):
        walk.protocol(right, _percent_protocol(left))
        for contained in contained_values(walk.values(right)):  # `"%(name)s" % {"name": value}`
            walk.query_members(contained, TEXT, right.lineno)
        for part in right.values if isinstance(right, ast.Dict) else ():
            walk.protocol(part, TEXT)
        return
    walk.protocol(left, (f"__{stem}__",))
    walk.protocol(right, (f"__r{stem}__",))


def _percent_protocol(text: ast.expr) -> tuple[str, ...]:
    """Return the members that `text % value` calls on the value."""
    match text:
        case ast.Constant(value=str(written)):
            names = ("__getitem__",) if "%(" in written else ()
            return (*TEXT, *names, *(NUMBER if _OF_NUMBER.search(written) else ()))
        case _:
            return (*TEXT, "__getitem__", *NUMBER)


def visit_aug_assign(walk: Walk, node: ast.AugAssign) -> None:
    """Visit `x += y`, which reads and writes the target."""
    walk.visit(node.target)
    walk.visit(node.value)
    stem = BINARY[type(node.op).__name__]
    load = _as_load(node.target)
    walk.visit(load)
    walk.protocol(load, (f"__i{stem}__", f"__{stem}__"))
    walk.protocol(node.value, (f"__r{stem}__",))
    if isinstance(load, ast.Attribute):
        made = ast.copy_location(ast.BinOp(load, node.op, node.value), node)
        walk.store_computed(walk.possible(load.value), load.attr, made)


def visit_unary_op(walk: Walk, node: ast.UnaryOp) -> None:
    """Visit `not x`, `-x` and other unary operators."""
    if isinstance(node.op, ast.Not):
        visit_tested(walk, node.operand)
    else:
        walk.visit(node.operand)
        walk.protocol(node.operand, UNARY[type(node.op).__name__])


def visit_compare(walk: Walk, node: ast.Compare) -> None:
    """Visit a chain of comparisons; `"name" in x.__dict__` is a use of the member."""
    match node:
        case ast.Compare(
            left=ast.Constant(value=str(name)),
            ops=[ast.In() | ast.NotIn()],
            comparators=[ast.Attribute(value=owner, attr="__dict__")],
        ):
            walk.visit(owner, "receiver")
            walk.member(walk.possible(owner), name, "value", node.lineno)
            return
        case _:
            pass
    add_tested_member(walk, node)
    operands = [node.left, *node.comparators]
    is_test = all(isinstance(o, (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)) for o in node.ops)
    walk.visit_all(operands, "test" if is_test else "value")
    for left, op, right in zip(operands, node.ops, operands[1:], strict=False):
        members = COMPARE[type(op).__name__]
        if not members or _is_none(left) or _is_none(right):
            continue
        walk.protocol(left, members)
        walk.protocol(right, members)


def visit_bool_op(walk: Walk, node: ast.BoolOp) -> None:
    """Visit `and` and `or`, which test all operands but the last."""
    for value in node.values[:-1]:
        visit_tested(walk, value)
    walk.visit(node.values[-1])


def visit_tested(walk: Walk, node: ast.expr | None) -> None:
    """Visit a node whose truth value is tested."""
    if node is None:
        return
    walk.visit(node)
    if not isinstance(node, (ast.Compare, ast.BoolOp, ast.Constant)) and not (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    ):
        walk.protocol(node, TRUTH)


def visit_formatted(walk: Walk, node: ast.FormattedValue) -> None:
    """Visit a value inside an f-string."""
    walk.visit(node.value)
    walk.visit(node.format_spec)
    walk.protocol(node.value, TEXT)


def visit_display(walk: Walk, node: ast.Dict | ast.Set) -> None:
    """Visit a dictionary or set display, whose keys are hashed and compared."""
    keys = node.keys if isinstance(node, ast.Dict) else node.elts
    walk.visit_all(keys)
    walk.visit_all(node.values if isinstance(node, ast.Dict) else ())
    for key, value in (
        zip(node.keys, node.values, strict=True) if isinstance(node, ast.Dict) else ()
    ):
        if key is None:  # `{**value}`
            walk.protocol(value, ("keys", "__getitem__"))
    for key in keys:
        if key is not None and not isinstance(key, (ast.Constant, ast.Starred)):
            walk.protocol(key, EQUALITY)


def visit_tuple(walk: Walk, node: ast.Tuple | ast.List) -> None:
    """Visit a tuple or list display, whose elements share its role."""
    role = walk.role
    walk.visit_all(node.elts, role if role in ("test", "annotation", "base") else "value")


def visit_starred(walk: Walk, node: ast.Starred) -> None:
    """Visit `*values`."""
    if walk.role == "annotation":  # `*rest: *Ts`
        walk.visit(node.value, "annotation")
        return
    walk.visit(node.value)
    if isinstance(node.ctx, ast.Load):
        walk.protocol(node.value, SIZED_ITERATION)


def visit_await(walk: Walk, node: ast.Await) -> None:
    """Visit `await value`."""
    walk.visit(node.value)
    walk.protocol(node.value, ("__await__",))


def visit_yield_from(walk: Walk, node: ast.YieldFrom) -> None:
    """Visit `yield from value`."""
    walk.visit(node.value)
    walk.protocol(node.value, (*ITERATION, "send", "throw", "close"))


def _is_text(values: Values) -> bool:
    return values is not None and values == frozenset({ExternalInstance("builtins.str")})


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _as_load(node: ast.expr) -> ast.expr:
    match node:
        case ast.Name(id=name):
            return ast.copy_location(ast.Name(name, ast.Load()), node)
        case ast.Attribute(value=value, attr=attr):
            return ast.copy_location(ast.Attribute(value, attr, ast.Load()), node)
        case ast.Subscript(value=value, slice=part):
            return ast.copy_location(ast.Subscript(value, part, ast.Load()), node)
        case _:
            return node
