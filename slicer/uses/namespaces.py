"""Attributes by another way: `setattr(x, "a", v)`, `x.__dict__["a"] = v`, `vars(x).update(a=v)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .name_patterns import name_patterns
from .walk import Walk


def see_namespace_item(walk: Walk, target: ast.Subscript, value: ast.expr) -> None:
    """An item of a namespace is assigned: an attribute of whose it is."""
    owner = _owner(target.value)
    if owner is not None:
        _store(walk, owner, target.slice, value)


def see_namespace_update(walk: Walk, node: ast.Call) -> None:
    """A namespace gets several items."""
    match node.func:
        case ast.Attribute(value=namespace, attr="update"):
            owner = _owner(namespace)
        case _:
            return
    if owner is not None:
        for name, value in _items(node):
            _store(walk, owner, name, value)


def see_set_attribute(walk: Walk, node: ast.Call) -> None:
    """`setattr(x, name, value)`."""
    match node.args:
        case [owner, name, value]:
            _store(walk, owner, name, value)
        case _:
            return


def _store(walk: Walk, owner: ast.expr, name: ast.expr, value: ast.expr) -> None:
    for text, _, exact in name_patterns(name, walk.scope):
        if exact:
            walk.store(walk.possible(owner), text, value)


def _owner(namespace: ast.expr) -> ast.expr | None:
    """Whose namespace it is; nothing where it is none."""
    match namespace:
        case ast.Attribute(value=owner, attr="__dict__"):
            return owner
        case ast.Call(func=ast.Name(id="vars"), args=[owner]):
            return owner
        case _:
            return None


def _items(node: ast.Call) -> Iterator[tuple[ast.expr, ast.expr]]:
    for argument in node.args:
        if isinstance(argument, ast.Dict):
            for key, value in zip(argument.keys, argument.values, strict=True):
                if key is not None:
                    yield key, value
    for keyword in node.keywords:
        if keyword.arg is not None:
            yield ast.Constant(keyword.arg), keyword.value
