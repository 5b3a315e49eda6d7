"""Listings of names that are filtered by prefix.

Examples are `[name for name in dir(x) if name.startswith("do_")]` and a loop whose whole body
stands under such a test.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence


def listed_prefixes(
    target: ast.expr, listing: ast.expr, conditions: Sequence[ast.expr]
) -> tuple[str, ...]:
    """Return the prefixes of names that a loop over `dir(x)` uses; empty if it uses all."""
    match target, listing:
        case ast.Name(id=name), ast.Call(func=ast.Name(id="dir"), args=[_]):
            tests = [part for condition in conditions for part in _conjuncts(condition)]
            return next(filter(None, (tuple(_tested(test, name)) for test in tests)), ())
        case _:
            return ()


def conditions_of(loop: ast.For | ast.AsyncFor) -> list[ast.expr]:
    """Return the test that encloses the whole body of a loop."""
    match loop.body:
        case [ast.If(test=test, orelse=[])]:
            return [test]
        case _:
            return []


def _conjuncts(test: ast.expr) -> list[ast.expr]:
    match test:
        case ast.BoolOp(op=ast.And(), values=parts):
            return parts
        case _:
            return [test]


def _tested(test: ast.expr, name: str) -> Iterator[str]:
    match test:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=tested), attr="startswith"), args=[given]
        ) if tested == name:
            for each in given.elts if isinstance(given, ast.Tuple) else [given]:
                if not isinstance(each, ast.Constant) or not isinstance(each.value, str):
                    return
                yield each.value
        case _:
            return
