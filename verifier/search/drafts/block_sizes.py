"""Sizes of the blocks in which code reads or cuts its input. Good inputs are longer than that."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from ....slicer.syntax.nodes import defaults_of

_READERS = frozenset({"read", "read1", "recv", "readexactly", "iter_content"})
_SIZE = re.compile(r"(?:chunk|block|buf|buffer|batch)(?:_?(?:size|len|length))?$", re.IGNORECASE)
_LEAST, _MOST = 2, 1 << 16


def block_sizes(node: ast.AST, nodes: Sequence[ast.AST]) -> Iterator[int]:
    """Yield the block sizes that a definition names.

    Args:
        node: the definition.
        nodes: all known definitions and assignments, to resolve names of constants.
    """
    for inner in ast.walk(node):
        for each in _places(inner):
            size = _number(each, nodes)
            if size is not None and _LEAST <= size <= _MOST:
                yield size


def _places(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions that give the length of a block."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name), args=[size]) if name in _READERS:
            yield size
        case ast.Call(func=ast.Name(id="range"), args=[_, _, step]):
            yield step
        case ast.Slice(lower=ast.expr(), upper=ast.BinOp(op=ast.Add(), right=size)):
            yield size
        case ast.arguments():
            yield from (each for arg, each in defaults_of(node) if _SIZE.search(arg.arg))
        case _:
            pass


def _number(node: ast.expr, nodes: Sequence[ast.AST]) -> int | None:
    """Return the integer that a literal, product or module constant stands for, else `None`."""
    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            return value
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            one, other = _number(left, ()), _number(right, ())
            return None if one is None or other is None else one * other
        case ast.Name(id=name) | ast.Attribute(attr=name):
            for each in nodes:
                match each:
                    case ast.Assign(targets=[ast.Name(id=bound)], value=value) if bound == name:
                        return _number(value, ())
                    case _:
                        pass
            return None
        case _:
            return None
