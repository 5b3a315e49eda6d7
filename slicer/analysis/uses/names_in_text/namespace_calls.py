"""Indirect attribute access: `setattr(x, "a", v)`, `vars(x).update(a=v)`, `type("X", (Y,), d)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ....syntax.nodes import walk as walk_nodes
from ...scopes.definitions import Scope
from ..use_walk import Walk
from .name_patterns import name_patterns


def visit_namespace_item(walk: Walk, target: ast.Subscript, value: ast.expr) -> None:
    """Record an assignment to an item of a namespace, which is an attribute of its owner."""
    owner = _owner(target.value)
    if owner is not None:
        _store(walk, owner, target.slice, value)


def visit_namespace_update(walk: Walk, node: ast.Call) -> None:
    """Record an update of a namespace with several items."""
    match node.func:
        case ast.Attribute(value=namespace, attr="update"):
            owner = _owner(namespace)
        case _:
            return
    if owner is not None:
        for name, value in _items(node.args, node.keywords):
            _store(walk, owner, name, value)


def visit_set_attribute(walk: Walk, node: ast.Call) -> None:
    """Record `setattr(x, name, value)`."""
    match node.args:
        case [owner, name, value]:
            _store(walk, owner, name, value)
        case _:
            return


def visit_attribute_set(walk: Walk, node: ast.Call) -> None:
    """Record `x.__setattr__(name, value)` or `Base.__setattr__(x, name, value)`."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="__setattr__"), args=[name, value]):
            _store(walk, owner, name, value)
        case ast.Call(func=ast.Attribute(attr="__setattr__")):
            visit_set_attribute(walk, node)
        case _:
            return


def visit_dynamic_class(walk: Walk, node: ast.Call) -> None:
    """Record `type(name, bases, namespace)`: its entries override those of the bases."""
    match node.args:
        case [_, ast.Tuple(elts=bases), namespace]:
            for name, value in _namespace_items(namespace, walk.scope):
                for base in bases:
                    _store(walk, base, name, value)
        case _:
            return


def _namespace_items(namespace: ast.expr, scope: Scope) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield the items of a display, or of a local name's display and later assignments."""
    match namespace:
        case ast.Dict():
            yield from _items([namespace], [])
        case ast.Call(func=ast.Name(id="dict"), args=given, keywords=keywords):
            yield from _items(given, keywords)
        case ast.Name(id=name) if (holder := scope.lookup(name)) is not None:
            for binder in holder.binders[name]:
                if isinstance(binder.value, (ast.Dict, ast.Call)):
                    yield from _namespace_items(binder.value, holder)
            for node in walk_nodes(holder.node):
                match node:
                    case ast.Assign(
                        targets=[ast.Subscript(value=ast.Name(id=owner), slice=key)], value=value
                    ) if owner == name:
                        yield key, value
                    case _:
                        continue
        case _:
            return


def _store(walk: Walk, owner: ast.expr, name: ast.expr, value: ast.expr) -> None:
    for each in name_patterns(name, walk.scope):
        if not each.is_open:
            walk.store(walk.possible(owner), each.text, value)


def _owner(namespace: ast.expr) -> ast.expr | None:
    """Return the owner of a namespace; `None` if the expression is no namespace."""
    match namespace:
        case ast.Attribute(value=owner, attr="__dict__"):
            return owner
        case ast.Call(func=ast.Name(id="vars"), args=[owner]):
            return owner
        case _:
            return None


def _items(
    arguments: Sequence[ast.expr], keywords: Sequence[ast.keyword]
) -> Iterator[tuple[ast.expr, ast.expr]]:
    for argument in arguments:
        if isinstance(argument, ast.Dict):
            for key, value in zip(argument.keys, argument.values, strict=True):
                if key is not None:
                    yield key, value
    for keyword in keywords:
        if keyword.arg is not None:
            yield ast.Constant(keyword.arg), keyword.value


def visit_dict_entry(walk: Walk, node: ast.expr) -> bool:
    """Record `x.__dict__["name"]` or `.get("name")`; return whether it is such an access."""
    match node:
        case ast.Call(
            func=ast.Attribute(
                value=ast.Attribute(value=owner, attr="__dict__"),
                attr="get" | "pop" | "__getitem__" | "__contains__",
            ),
            args=[ast.Constant(value=str(name)), *rest],
        ):
            pass
        case ast.Subscript(
            value=ast.Attribute(value=owner, attr="__dict__"),
            slice=ast.Constant(value=str(name)),
            ctx=ast.Load(),
        ):
            rest = []
        case _:
            return False
    walk.visit(owner, "receiver")
    walk.member(walk.possible(owner), name, "value", node.lineno)
    walk.visit_all(rest)
    return True
