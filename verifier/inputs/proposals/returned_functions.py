"""Functions that a target defines and returns. Cases call them, since they show what it does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from ....slicer.analysis.scopes.definitions import function_scope
from ....slicer.analysis.values.abstract_values import ClassValue, ordered
from ....slicer.emission.manifest.suggestions.target_functions import FunctionNode, TargetFunction
from ..argument_builder import ArgumentBuilder


def returned_functions(
    builder: ArgumentBuilder, function: TargetFunction
) -> Iterator[TargetFunction]:
    """Yield the function that a function defines and returns, the one that this returns, and so on.

    For a returned class it is the constructor, since the class alone shows nothing.
    """
    inner = _made_and_returned(function.node)
    while inner is not None and not isinstance(function.node, ast.AsyncFunctionDef):
        if isinstance(inner, ast.ClassDef):
            yield from _constructor_of(builder, function, inner)
            return
        function = replace(function, node=inner, owner=None, name=inner.name)
        yield function
        inner = _made_and_returned(inner)


def _constructor_of(
    builder: ArgumentBuilder, function: TargetFunction, node: ast.ClassDef
) -> Iterator[TargetFunction]:
    """Yield the constructor of a nested class that defines one itself."""
    scope = function_scope(function.node, function.enclosing, function.owner)
    for value in ordered(builder.walk.inference.evaluate(ast.Name(node.name, ast.Load()), scope)):
        if isinstance(value, ClassValue) and value.cls.node is node:
            made = builder.constructor(value.cls)
            if made is not None and made.owner is value.cls:
                yield made


def _made_and_returned(node: FunctionNode) -> FunctionNode | ast.ClassDef | None:
    """Return the nested function or class that every `return` gives; else `None`."""
    own = list(_own_nodes(node))
    ends = [_same_value(n.value) for n in own if isinstance(n, ast.Return)]
    names = {getattr(value, "id", "") for value in ends}
    if len(names) != 1 or any(isinstance(n, ast.Yield | ast.YieldFrom) for n in own):
        return None
    made = [n for n in own if isinstance(n, FunctionNode | ast.ClassDef) and n.name in names]
    return made[0] if len(made) == 1 else None


def _same_value(value: ast.expr | None) -> ast.expr | None:
    """Return what a call passes through: `update_wrapper` its first argument, `cast` its last."""
    match value:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[first, last]):
            same = {"update_wrapper": first, "cast": last}.get(name)
            return value if same is None else _same_value(same)
        case _:
            return value


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function outside nested functions and classes."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, FunctionNode | ast.Lambda | ast.ClassDef):
            yield from _own_nodes(child)
