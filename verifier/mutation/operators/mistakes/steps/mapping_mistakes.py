"""Mistakes with mappings: which of two entries wins, and what a missing key does."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...value_changes import distinct, longer, one_after_another
from ..mutated_function import MutatedFunction
from ..operator_contract import Edit, Operator


def _soft(function: MutatedFunction) -> Iterator[Edit]:
    for node in function.nodes:
        match node:
            case ast.Subscript(value=value, slice=key, ctx=ast.Load()) if function.is_text(key):
                yield node, f"{function.operand(value)}.get({function.source(key)})"
            case _:
                pass


def _hard(function: MutatedFunction) -> Iterator[Edit]:
    for node in function.nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr="get"), args=[key, *_], keywords=[]):
                if len(node.args) <= 2 and not isinstance(key, ast.Starred):
                    yield node, f"{function.operand(value)}[{function.source(key)}]"
            case _:
                pass


def _first_wins(function: MutatedFunction) -> Iterator[Edit]:
    for node in function.nodes:
        match node:
            case ast.Assign(targets=[ast.Subscript(value=of, slice=key)], value=value) if _is_key(
                function, key
            ):
                text = f"{function.source(key)}, {function.source(value)}"
                yield node, f"{function.operand(of)}.setdefault({text})"
            case _:
                pass


def _is_key(function: MutatedFunction, node: ast.expr) -> bool:
    match node:
        case ast.Name() | ast.Attribute() | ast.Tuple():
            return True
        case _:
            return function.is_text(node)


def _last_wins(function: MutatedFunction) -> Iterator[Edit]:
    for node in function.nodes:
        match node:
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=of, attr="setdefault"), args=[key, value])
            ):
                yield (
                    node,
                    f"{function.operand(of)}[{function.source(key)}] = {function.source(value)}",
                )
            case _:
                pass


def _other_order(function: MutatedFunction) -> Iterator[Edit]:
    for node in function.nodes:
        match node:
            case ast.Dict(keys=keys, values=values) if None in keys and len(keys) > 1:
                pairs = zip(keys, values, strict=True)
                parts = [
                    f"{function.source(key)}: {function.source(value)}" if key
                    else f"**{function.operand(value)}"
                    for key, value in pairs
                ]  # fmt: skip
                yield node, f"{{{', '.join(reversed(parts))}}}"
            case _:
                pass


OPERATORS = (
    Operator(
        "None for a missing key",
        _soft,
        (("return a['x']", ("return a.get('x')",)),),
        ("return a[0]", "a['x'] = b", "del a['x']"),
    ),
    Operator(
        "error for a missing key",
        _hard,
        (("return a.get('x', 1)", ("return a['x']",)),),
        ("return a.get()", "return a.get(b, default=1)"),
    ),
    Operator(
        "first entry wins",
        _first_wins,
        (("a[b] = c", ("a.setdefault(b, c)",)),),
        ("a[0] = b", "a[1:] = b", "a.b = c"),
        killed_by=one_after_another(longer, distinct),
    ),
    Operator(
        "last entry wins",
        _last_wins,
        (("a.setdefault(b, c)", ("a[b] = c",)),),
        ("d = a.setdefault(b, c)",),
    ),
    Operator(
        "other precedence",
        _other_order,
        (("return {**a, 'x': b}", ("return {'x': b, **a}",)),),
        ("return {'x': a, 'y': b}", "return {**a}"),
    ),
)
