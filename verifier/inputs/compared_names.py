"""What a parameter is compared with that is no literal: sentinels, members, empty displays."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator
from itertools import islice

from .arguments import is_literal

_MOST = 4


def compared_texts(
    function: ast.FunctionDef | ast.AsyncFunctionDef,
    name: str,
    called: Callable[[str], str] = str,
) -> tuple[str, ...]:
    """Expressions that a function compares one of its parameters with, by `is`, `==` or `in`.

    Args:
        function: the target.
        name: of the parameter.
        called: gives an expression for what the target's module calls something.
    """
    own = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    own |= {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and _is_bound(n)}
    found: dict[str, None] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            if any(isinstance(side, ast.Name) and side.id == name for side in sides):
                others = [called(text) for side in sides for text in _texts(side, own)]
                is_member = isinstance(node.ops[-1], ast.In | ast.NotIn)
                if is_member and isinstance(node.comparators[-1], ast.Name | ast.Attribute):
                    found.update(dict.fromkeys(f"[*{text}][0]" for text in others[-1:]))
                found.update(dict.fromkeys(others))
    return tuple(islice(found, _MOST))


def _is_bound(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)


def _texts(node: ast.expr, own: set[str]) -> Iterator[str]:
    match node:
        case ast.Name(id=name) if name not in own and not hasattr(builtins, name):
            yield name
        case ast.Attribute(value=ast.Name(id=name)) if name not in own:
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
