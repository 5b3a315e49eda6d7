"""Ignored arguments: reads of a parameter are replaced by its default.

A call that leaves the parameter out shows no difference, so a case must pass another value.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....slicer.syntax.nodes import defaults_of
from ..mutated_block import Block, own_nodes
from .expression_operators import Change, operand


def ignored(block: Block, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Change]:
    """Yield a change for each read of an unassigned parameter with a constant default.

    Args:
        block: the function's block.
        function: the target.
    """
    inside = list(own_nodes(function))
    names = [node for node in inside if isinstance(node, ast.Name)]
    bound = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    # before Python 3.12 the parts of f-strings have no positions
    formatted = {
        id(part) for node in inside if isinstance(node, ast.JoinedStr) for part in ast.walk(node)
    }
    defaults = dict(_constants(function.args))
    for node in names:
        default = defaults.get(node.id)
        if default is not None and node.id not in bound and id(node) not in formatted:
            yield Change("ignored argument", node, operand(block, default))


def _constants(arguments: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    """Yield parameters with their constant defaults."""
    for parameter, default in defaults_of(arguments):
        match default:
            case ast.Constant() | ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
                yield parameter.arg, default
            case _:
                pass
