"""Trivial functions: getters, constants, empty bodies."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from .listing import Function


def why_trivial(function: Function) -> str | None:
    """Return what makes a function trivial; `None` if it is not."""
    body = _without_docstring(function.body)
    if not body:
        return "its body is empty"
    if len(body) > 1:
        return None
    match body[0]:
        case ast.Return(None):
            return "its body is empty"
        case ast.Return(value) if value is not None and _is_constant(value):
            return "it returns a constant"
        case ast.Return(ast.Name()):
            return "it returns a name"
        case ast.Return(ast.Attribute() as value) if _is_chain(value):
            return "it returns an attribute"
        case ast.Raise(exc) if "NotImplemented" in ast.unparse(exc or ast.Constant(None)):
            return "it is not implemented"
        case ast.Assign([ast.Attribute() as target], ast.Name()) if _is_chain(target):
            return "it sets an attribute"
        case _:
            return None


def _without_docstring(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Return the statements that do something."""
    return [
        each
        for each in body
        if not isinstance(each, ast.Pass)
        and not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
    ]


def _is_constant(node: ast.expr) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(_, operand):
            return _is_constant(operand)
        case ast.Tuple(elements) | ast.List(elements) | ast.Set(elements):
            return all(map(_is_constant, elements))
        case ast.Dict(keys, values):
            return all(key is not None and _is_constant(key) for key in keys) and all(
                map(_is_constant, values)
            )
        case _:
            return False


def _is_chain(node: ast.expr) -> bool:
    """Whether the expression is a name with attributes."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)
