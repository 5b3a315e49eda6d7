"""Facts read from a function's own text: decorators, return expressions, returned parameters."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ...repo.source import Source
from ...syntax.memo import memo
from ...syntax.nodes import children
from ..scopes.definitions import FunctionInfo, Scope, function_scope

TRANSPARENT_DECORATORS = frozenset(
    "staticmethod classmethod property cached_property lru_cache cache abstractmethod overload "
    "final override wraps contextmanager asynccontextmanager deprecated setter getter deleter "
    "no_type_check typechecked profile njit jit".split()
)
"""Decorators that leave the function, or what it returns, unchanged for the analysis."""


def decorator_name(node: ast.expr) -> str:
    """Return the last part of a decorator's name: `wraps` for `@functools.wraps(f)`."""
    while isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def is_property(node: ast.AST) -> bool:
    """Whether a `def` is a property, which is called when it is read."""
    return any(
        decorator_name(d) in ("property", "cached_property", "setter", "getter", "deleter")
        for d in getattr(node, "decorator_list", ())
    )


def body_scope(function: FunctionInfo) -> Scope:
    """Return the scope of a function's body."""
    return function_scope(function.node, function.enclosing, function.owner)


def returned_parameter(function: FunctionInfo) -> int | None:
    """Return the position of the parameter that every `return` of the function returns."""
    return _returned_parameter(function.module.source, function.node, body_scope(function))


@memo
def _returned_parameter(
    _: Source, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope
) -> int | None:
    returns, yields = results(node)
    names = {value.id if isinstance(value, ast.Name) else "" for value in returns}
    order = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args)]
    if yields or len(names) != 1 or isinstance(node, ast.AsyncFunctionDef):
        return None
    (name,) = names
    if name not in order or len(scope.binders[name]) != 1 or node.decorator_list:
        return None
    return order.index(name)


@memo
def results(
    node: ast.FunctionDef | ast.AsyncFunctionDef,
) -> tuple[tuple[ast.expr, ...], tuple[ast.expr | None, ...]]:
    """Return the expressions that the function returns, and those that it yields."""
    returns: list[ast.expr] = []
    yields: list[ast.expr | None] = []
    stack: list[ast.AST] = list(node.body)
    while stack:
        item = stack.pop()
        match item:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Lambda():
                continue
            case ast.Return(value=ast.expr() as value):
                returns.append(value)
            case ast.Yield(value=value):
                yields.append(value)
            case ast.YieldFrom(value=value):
                yields.append(ast.Subscript(value, ast.Constant(0)))
            case _:
                pass
        stack.extend(children(item))
    return tuple(returns), tuple(yields)


def is_passed_by_position(args: Sequence[ast.expr], position: int) -> bool:
    """Whether a call passes that parameter by position, with no `*args` before it."""
    return position < len(args) and not any(
        isinstance(argument, ast.Starred) for argument in args[: position + 1]
    )
