"""Walk syntax trees faster than the standard library does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import cast

_LEAVES = ("ctx", "op", "ops", "id", "attr", "arg", "asname", "kind", "level", "type_comment")
"""Fields that hold text, numbers, or operator and context nodes, which have no position."""

_WITH_HOLES = (ast.Dict, ast.arguments, ast.Global, ast.Nonlocal, ast.MatchClass, ast.MatchMapping)
"""Nodes whose lists may contain `None` or text besides nodes."""

_fields: dict[type[ast.AST], tuple[str, ...]] = {}


def children(node: ast.AST) -> list[ast.AST]:
    """Return the direct child nodes that have a position in the text, in source order."""
    kind = node.__class__
    fields = _fields.get(kind)
    if fields is None:
        fields = _fields[kind] = tuple(name for name in kind._fields if name not in _LEAVES)
    found: list[object] = []
    for name in fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            found.append(value)
        elif value.__class__ is list:
            found += cast("list[object]", value)
    if kind in _WITH_HOLES:
        return [item for item in found if isinstance(item, ast.AST)]
    return cast("list[ast.AST]", found)


def walk(node: ast.AST) -> list[ast.AST]:
    """Return the node and all its descendants in the order of `ast.walk`, without operators."""
    found = [node]
    for item in found:
        found.extend(children(item))
    return found


def all_parameters(args: ast.arguments) -> list[ast.arg]:
    """Return all parameters of a function, in the order of the text."""
    every = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
    return [arg for arg in every if arg is not None]


def defaults_of(args: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr]]:
    """Yield the parameters of a function that have a default, with it, in the order of the text."""
    positional = [*args.posonlyargs, *args.args]
    late = positional[len(positional) - len(args.defaults) :]
    yield from zip(late, args.defaults, strict=True)
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        if default is not None:
            yield arg, default


def at_path(node: ast.expr, path: tuple[int, ...]) -> ast.expr | None:
    """Return the node at an index path in nested displays; `None` if there is none."""
    for index in path:
        if not isinstance(node, (ast.Tuple, ast.List)) or not 0 <= index < len(node.elts):
            return None
        node = node.elts[index]
    return node
