"""A mutable default that all calls share: `def f(a=[])` in place of `def f(a=None)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..mutated_function import MutatedFunction
from ..operator_contract import Edit, Operator

_MAKERS = frozenset({"dict", "list", "set"})
_KEPT = "__import__('functools').__dict__.setdefault('{key}', {made})"
"""A place that calls share and that is no state of the code under test."""


def _shared(function: MutatedFunction) -> Iterator[Edit]:
    for node in function.nodes:
        match node:
            case ast.If(
                test=ast.Compare(left=tested, ops=[ast.Is()], comparators=[ast.Constant(None)]),
                body=[ast.Assign(targets=[target], value=made)],
                orelse=[],
            ) if _is_same(tested, target):
                yield from _kept(function, made)
            case ast.BoolOp(op=ast.Or(), values=[_, made]):
                yield from _kept(function, made)
            case ast.IfExp(
                test=ast.Compare(ops=[ast.Is()], comparators=[ast.Constant(None)]), body=made
            ):
                yield from _kept(function, made)
            case ast.IfExp(
                test=ast.Compare(ops=[ast.IsNot()], comparators=[ast.Constant(None)]), orelse=made
            ):
                yield from _kept(function, made)
            case _:
                pass


def _kept(function: MutatedFunction, made: ast.expr) -> Iterator[Edit]:
    """Yield the new empty collection, made by the first call only."""
    match made:
        case ast.List(elts=[]) | ast.Dict(keys=[]):
            pass
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[]) if name in _MAKERS:
            pass
        case _:
            return
    key = f"shared {made.lineno}:{made.col_offset}"
    yield made, _KEPT.format(key=key, made=function.source(made))


def _is_same(one: ast.expr, other: ast.expr) -> bool:
    return isinstance(one, ast.Name) and isinstance(other, ast.Name) and one.id == other.id


OPERATORS = (
    Operator(
        "shared default",
        _shared,
        (
            (
                "if a is None:\n    a = []\nreturn a",
                (f"if a is None:\n    a = {_KEPT.format(key='shared 4:16', made='[]')}\nreturn a",),
            ),
            (
                "return a or dict()",
                (f"return a or {_KEPT.format(key='shared 3:20', made='dict()')}",),
            ),
        ),
        ("return a or b", "if a is None:\n    a = [1]\nreturn a", "a = []\nreturn a"),
        is_hint=True,  # no difference where nobody changes the collection
    ),
)
