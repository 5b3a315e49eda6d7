"""Mistakes with copies: changing in place instead of copying, and the reverse."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...expression_operators import SIGNS
from ..mutated_function import MutatedFunction
from ..operator_contract import Edit, Operator


def _shared(function: MutatedFunction) -> Iterator[Edit]:
    """Yield the original value in place of its copy."""
    for node in function.nodes:
        match node:
            case ast.List(elts=[ast.Starred(value=value)], ctx=ast.Load()):
                yield node, function.operand(value)
            case ast.Dict(keys=[None], values=[value]):
                yield node, function.operand(value)
            case _:
                pass


def _sorted_in_place(function: MutatedFunction) -> Iterator[Edit]:
    for node in function.nodes:
        match node:
            case ast.Call(func=ast.Name(id="sorted"), args=[ast.Name() | ast.Attribute() as items]):
                text = function.source(items)
                given = ", ".join(
                    f"{k.arg}={function.source(k.value)}" for k in node.keywords if k.arg
                )
                if all(each.arg for each in node.keywords):
                    yield node, f"({text}.sort({given}) or {text})"
            case _:
                pass


def _copied(function: MutatedFunction) -> Iterator[Edit]:
    """Yield a new value instead of an in-place change, which other holders of the value notice."""
    parameters = {each.arg for each in function.parameters}
    for node in function.nodes:
        match node:
            case ast.AugAssign(target=ast.Name(id=name)) if name not in parameters:
                pass
            case ast.AugAssign(target=ast.Name() | ast.Attribute() as target, op=op, value=value):
                text = function.source(target)
                yield node, f"{text} = {text} {SIGNS[type(op)][0]} {function.operand(value)}"
            case _:
                pass


OPERATORS = (
    Operator(
        "itself for a copy",
        _shared,
        (("b = [*a]", ("b = a",)), ("return {**a.b}", ("return a.b",))),
        ("return [a]", "[*b] = a", "return {**a, **b}"),
        is_hint=True,
    ),
    Operator(
        "sorted in place",
        _sorted_in_place,
        (("return sorted(a, key=b)", ("return a.sort(key=b) or a",)),),
        ("return sorted(g(a))", "return sorted(a, **b)"),
    ),
    Operator(
        "copy for in place",
        _copied,
        (("a += b", ("a = a + b",)), ("self.x |= a", ("self.x = self.x | a",))),
        ("d = 0\nd += 1", "a[0] += 1"),
        is_hint=True,  # numbers and texts show no difference
    ),
)
