"""Facts of operators, tests and formatted strings: each may call a special method."""

from __future__ import annotations

import ast

from ...facts import Concatenate, Operate, Variable
from ...language_tables import COMPARISONS, LARGEST_INDEX, OPERATORS, UNARY
from ..fact_walk import Walk


def binary(walk: Walk, node: ast.BinOp) -> Variable | None:
    """Record a binary operator; a long chain of them is walked iteratively."""
    spine = [node]
    left = node.left
    while isinstance(left, ast.BinOp):  # long sums are nested to the left
        spine.append(left)
        left = left.left
    value = walk.evaluate(left)
    for inner in reversed(spine):
        value = _operate(walk, inner, value, walk.evaluate(inner.right), left)
        left = inner
    return value


def _operate(
    walk: Walk, node: ast.BinOp, left: Variable | None, right: Variable | None, first: ast.expr
) -> Variable | None:
    numeric = is_number(first) and is_number(node.right)
    if numeric or (left is None and right is None):
        return None
    target = walk.builder.new()
    method, reflected = OPERATORS[type(node.op)]
    if isinstance(node.op, ast.Add) and not is_number(node.right):
        walk.builder.emit(Concatenate((left, right), target))
    emit_operation(walk, left, method, reflected, right, target, node.lineno)
    return target


def emit_operation(
    walk: Walk,
    left: Variable | None,
    method: str,
    reflected: str,
    right: Variable | None,
    target: Variable | None,
    line: int,
) -> None:
    """Record an operator or a protocol, called from here."""
    caller = walk.builder.scope.definition
    walk.builder.emit(Operate(left, method, reflected, right, target, caller, line))


def boolean(walk: Walk, node: ast.BoolOp) -> Variable | None:
    """Return a variable for `and` and `or`, which return one of their operands."""
    return walk.builder.union([walk.evaluate(value) for value in node.values])


def compare(walk: Walk, node: ast.Compare) -> None:
    """Record a comparison or a chain of them; its value is irrelevant."""
    left_node: ast.expr = node.left
    left = walk.evaluate(left_node)
    for operator, right_node in zip(node.ops, node.comparators, strict=True):
        right = walk.evaluate(right_node)
        names = COMPARISONS.get(type(operator))
        plain = isinstance(left_node, ast.Constant) and isinstance(right_node, ast.Constant)
        if names is not None and not plain and (left is not None or right is not None):
            method, reflected = names
            sides = (right, left) if method == "__contains__" else (left, right)
            if method != "__contains__" or right is not None:
                emit_operation(walk, sides[0], method, reflected, sides[1], None, node.lineno)
        left, left_node = right, right_node


def unary(walk: Walk, node: ast.UnaryOp) -> Variable | None:
    """Record `-x`, `+x`, `~x` and `not x`."""
    if isinstance(node.op, ast.Not):
        truth(walk, node.operand)
        return None
    if is_number(node):
        number = _signed_integer(node)
        if number is None or abs(number) > LARGEST_INDEX:
            return None
        return walk.builder.constant(number)
    value = walk.evaluate(node.operand)
    if value is None:
        return None
    target = walk.builder.new()
    emit_operation(walk, value, UNARY[type(node.op)], "", None, target, node.lineno)
    return target


def _signed_integer(node: ast.UnaryOp) -> int | None:
    match node.operand:
        case ast.Constant(value=int(number)):
            return -number if isinstance(node.op, ast.USub) else +number
        case _:
            return None


def truth(walk: Walk, node: ast.expr) -> None:
    """Walk an expression whose truth value is tested."""
    if isinstance(node, ast.BoolOp):
        for value in node.values:
            truth(walk, value)
        return
    value = walk.evaluate(node)
    if value is not None and not isinstance(node, (ast.Constant, ast.Compare)):
        emit_operation(walk, value, "__bool__", "__len__", None, None, node.lineno)


def conditional(walk: Walk, node: ast.IfExp) -> Variable | None:
    """Return the variable of `a if test else b`."""
    truth(walk, node.test)
    return walk.builder.union([walk.evaluate(node.body), walk.evaluate(node.orelse)])


def joined_text(walk: Walk, node: ast.JoinedStr) -> Variable | None:
    """Return the variable of an f-string."""
    parts = [walk.evaluate(value) for value in node.values]
    if len(parts) == 1 and not isinstance(node.values[0], ast.FormattedValue):
        return parts[0]
    target = walk.builder.new()
    walk.builder.emit(Concatenate(tuple(parts), target))
    return target


def formatted_value(walk: Walk, node: ast.FormattedValue) -> Variable | None:
    """Return the variable of a replacement field in an f-string."""
    value = walk.evaluate(node.value)
    walk.evaluate(node.format_spec)
    if value is not None:
        method = {"r": "__repr__", "s": "__str__"}.get(chr(max(node.conversion, 0)))
        names = (method, "") if method else ("__format__", "__str__")
        emit_operation(walk, value, *names, None, None, node.lineno)
    return value if node.format_spec is None else None


def is_number(node: ast.expr) -> bool:
    """Whether the expression is a literal number."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        node = node.operand
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float, complex))
