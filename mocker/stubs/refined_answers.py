"""Declared answers, refined by a slice's uses: uses take precedence, types fill the rest."""

from __future__ import annotations

import ast

from ..shapes import Shape, value_of
from ..shapes.shape import Anything, Either, Sequence


def refined(shape: Shape, declared: str) -> str:
    """Return source of a value that satisfies the shape, of the declared type if possible.

    Args:
        shape: the shape that the slice needs.
        declared: source of an answer of the declared type.
    """
    return _refined(shape, ast.parse(declared, mode="eval").body)


def _refined(shape: Shape, node: ast.expr, n: int = 1) -> str:
    match shape, node:
        case Either(shape=inner), _:
            return _refined(inner, node, n)
        case Anything(), ast.Name():
            return repr(value_of(shape, n))
        case Anything(), _:
            return ast.unparse(node)
        case Sequence(), ast.List(elts=[_, *_] as items):
            count = max(shape.length, *(place + 1 for place, _ in shape.parts), 1)
            inside = [
                _refined(_part(shape, place), items[min(place, len(items) - 1)], n + place)
                for place in range(count)
            ]
            return f"[{', '.join(inside)}]"
        case Sequence(), ast.Tuple(elts=items) if len(items) >= _least(shape):
            inside = [_refined(_part(shape, i), item, n + i) for i, item in enumerate(items)]
            return f"({', '.join(inside)},)" if len(items) == 1 else f"({', '.join(inside)})"
        case Sequence(item=Anything(), parts=()), ast.Constant(value=str() | bytes()) | ast.Call():
            return ast.unparse(node)
        case _:
            return repr(value_of(shape, n))


def _least(shape: Sequence) -> int:
    return max((place + 1 for place, _ in shape.parts), default=1)


def _part(shape: Sequence, place: int) -> Shape:
    return next((part for n, part in shape.parts if n == place), shape.item)
