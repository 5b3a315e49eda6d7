"""Modules reached through an object: `sys.modules[cls.__module__]`, `f.__globals__`.

A name that is looked up there counts as an access on an unknown receiver. The modules that define
the objects are possible receivers.
"""

from __future__ import annotations

import ast
import re

from ....repo.repository import Module
from ....repo.units import Unit
from ....syntax.memo import memo
from ...scopes.definitions import Scope
from ..use_records import DynamicUse, GapUse, HomeUse
from ..use_walk import Walk
from .name_patterns import name_patterns

_LOOKS_UP = re.compile(r"\bmodules\b|\bimport_module\b|\b__import__\b|\bgetmodule\b")
_ITEMS = frozenset({"get", "pop", "setdefault", "__getitem__"})


def visit_home(walk: Walk, node: ast.Attribute) -> None:
    """Record `x.__module__` where modules are looked up by name, or `f.__globals__`."""
    if not isinstance(node.ctx, ast.Load):
        return
    if node.attr == "__globals__" or (
        node.attr == "__module__" and _looks_up(walk.module, walk.unit)
    ):
        add_defining_module(walk, node.value)
    elif node.attr == "f_globals":
        detail = "names of a calling module are looked up"
        walk.use(GapUse("dynamic-name", node.lineno, detail))


def add_defining_module(walk: Walk, node: ast.expr) -> None:
    """Record that names may be looked up in the module that defines the node's object."""
    owner = owner_of(node, walk.scope)
    walk.use(HomeUse(walk.holding(owner), node.lineno))


def visit_home_argument(walk: Walk, node: ast.Call) -> None:
    """Record `load(cls.__module__, name)`: a callee that receives a module name may look it up."""
    if isinstance(node.func, ast.Name) and node.func.id in ("str", "repr", "print", "len"):
        return
    for argument in node.args:
        if isinstance(argument, ast.Attribute) and argument.attr == "__module__":
            add_defining_module(walk, argument.value)


def visit_home_item(walk: Walk, table: ast.expr, key: ast.expr) -> ast.expr:
    """Record a lookup in the namespace of an object's module.

    Return the expression that remains to be visited: `x` if `vars(x)` only serves this lookup.
    """
    if not _has_namespaces(walk.module) or not _is_namespace(walk, table, 0):
        return table
    for each in name_patterns(key, walk.scope):
        if each.is_open:
            walk.use(DynamicUse(None, each.text, each.suffix, key.lineno))
        elif not each.text.startswith("__"):
            walk.member(None, each.text, "value", key.lineno)
    return table.args[0] if isinstance(table, ast.Call) else table


def visit_home_method(walk: Walk, node: ast.Call) -> None:
    """Record the same lookup by a method: `f.__globals__.get(name)`."""
    match node:
        case ast.Call(func=ast.Attribute(value=table, attr=attr), args=[key, *_]) if attr in _ITEMS:
            visit_home_item(walk, table, key)
        case _:
            return


def visit_home_text(walk: Walk, node: ast.Call) -> None:
    """Record `eval(text, f.__globals__)`: strings of that module run as code in it."""
    for namespace in node.args[1:2]:
        match namespace:
            case ast.Attribute(value=function, attr="__globals__"):
                values = walk.holding(owner_of(function, walk.scope))
                walk.use(HomeUse(values, node.lineno, runs_text=True))
            case _:
                continue


def owner_of(node: ast.expr, scope: Scope) -> ast.expr:
    """Return the object whose class is read: `type(x)`, `x.__class__`, or a name for it."""
    match node:
        case ast.Call(func=ast.Name(id="type"), args=[owner]):
            return owner
        case ast.Attribute(value=owner, attr="__class__" | "__func__" | "__wrapped__"):
            return owner
        case ast.Name(id=name) if (holder := scope.lookup(name)) is not None:
            values = [binder.value for binder in holder.binders[name]]
            match values:
                case [ast.Call(func=ast.Name(id="type"), args=[owner])]:
                    return owner
                case [ast.Attribute(value=owner, attr="__class__")]:
                    return owner
                case _:
                    return node
        case _:
            return node


def _is_namespace(walk: Walk, node: ast.expr, depth: int) -> bool:
    """Whether the node is the namespace of an unknown module."""
    match node:
        case ast.Attribute(attr="__globals__" | "f_globals"):
            return True
        case ast.Attribute(value=owner, attr="__dict__"):
            return walk.values(owner) is None
        case ast.Call(func=ast.Name(id="vars"), args=[owner]):
            return walk.values(owner) is None
        case ast.Name(id=name) if depth < 2 and (holder := walk.scope.lookup(name)) is not None:
            values = [binder.value for binder in holder.binders[name]]
            return any(v is not None and _is_namespace(walk, v, depth + 1) for v in values)
        case _:
            return False


@memo
def _has_namespaces(module: Module) -> bool:
    """Whether the file may access the namespaces of other modules. The text is searched once."""
    text = module.source.text
    words = ("modules", "import_module", "__import__", "getmodule", "__globals__", "f_globals")
    return any(word in text for word in words)


@memo
def _looks_up(module: Module, unit: Unit) -> bool:
    """Whether the statement looks up modules by name."""
    return _LOOKS_UP.search(module.text_of(unit)) is not None
