"""Non-literals that a value is compared with: sentinels, members, types, empty displays."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator
from itertools import islice

from ....slicer.syntax.scopes import bound_inside
from ..argument_builder import is_literal

_MOST = 4


def compared_texts(
    function: ast.FunctionDef | ast.AsyncFunctionDef,
    read: str,
    called: Callable[[str], str] = str,
) -> tuple[str, ...]:
    """Return expressions that a function compares a value with, by `is`, `==` or `in`.

    Args:
        function: the target.
        read: the compared value as written: a parameter, or an attribute of one.
        called: returns the script's expression for a name in the target's module.
    """
    own = bound_inside(function)
    found: dict[str, None] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            if any(_is_read(side) and ast.unparse(side) == read for side in sides):
                others = [called(text) for side in sides for text in _texts(side, own)]
                is_member = isinstance(node.ops[-1], ast.In | ast.NotIn)
                if is_member and isinstance(node.comparators[-1], ast.Name | ast.Attribute):
                    found.update(dict.fromkeys(f"[*{text}][0]" for text in others[-1:]))
                found.update(dict.fromkeys(others))
    return tuple(islice(found, _MOST))


def _is_read(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute)


def _root(node: ast.expr) -> str:
    """Return the first part of a dotted name; empty for other expressions."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _texts(node: ast.expr, own: Collection[str]) -> Iterator[str]:
    match node:
        case ast.Name() | ast.Attribute() if _root(node) not in {"", *own}:
            yield ast.unparse(node)
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
            if not items:
                yield ast.unparse(node)
            for item in items:
                yield from _texts(item, own)
        case ast.Constant(value=None | True | False):
            yield ast.unparse(node)
        case ast.Dict(keys=[]):
            yield "{}"
        case _ if not isinstance(node, ast.Constant) and is_literal(node):
            yield ast.unparse(node)
        case _:
            return
