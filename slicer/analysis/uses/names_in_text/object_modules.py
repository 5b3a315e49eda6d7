"""Modules reached through an object: `sys.modules[cls.__module__]`, `f.__globals__`.

A name that is looked up there counts as an access on an unknown receiver. The modules that define
the objects are possible receivers.
"""

from __future__ import annotations

import ast
import re

from ....repo.repository import Module
from ....repo.units import Unit
from ....syntax.memo import once
from ...scopes.definitions import Scope
from ..use_records import DynamicUse, GapUse, HomeUse
from ..use_walk import Walk
from .name_patterns import name_patterns

_LOOKS_UP = re.compile(r"\bmodules\b|\bimport_module\b|\b__import__\b|\bgetmodule\b")
_ITEMS = frozenset({"get", "pop", "setdefault", "__getitem__"})


def see_home(walk: Walk, node: ast.Attribute) -> None:
    """`x.__module__` where modules are looked up by name, or `f.__globals__`."""
    if not isinstance(node.ctx, ast.Load):
        return
    if node.attr == "__globals__" or (
        node.attr == "__module__" and _looks_up(walk.module, walk.unit)
    ):
        note_home(walk, node.value)
    elif node.attr == "f_globals":
        detail = "names of a calling module are looked up"
        walk.use(GapUse("dynamic-name", node.lineno, detail))


def note_home(walk: Walk, node: ast.expr) -> None:
    """The module in which the node's object, or its class, is defined may be asked for names."""
    owner = owner_of(node, walk.scope)
    walk.use(HomeUse(walk.holding(owner), node.lineno))


def see_home_argument(walk: Walk, node: ast.Call) -> None:
    """`load(cls.__module__, name)`: whoever gets the name of a module may look it up."""
    if isinstance(node.func, ast.Name) and node.func.id in ("str", "repr", "print", "len"):
        return
    for argument in node.args:
        if isinstance(argument, ast.Attribute) and argument.attr == "__module__":
            note_home(walk, argument.value)


def see_home_item(walk: Walk, table: ast.expr, key: ast.expr) -> ast.expr:
    """An item of the namespace of a module that an object was defined in.

    Returns what is left to be visited: where `vars(x)` only gives one item, `x`.
    """
    if not _has_namespaces(walk.module) or not _is_namespace(walk, table, 0):
        return table
    for prefix, suffix, exact in name_patterns(key, walk.scope):
        if not exact:
            walk.use(DynamicUse(None, prefix, suffix, key.lineno))
        elif not prefix.startswith("__"):
            walk.member(None, prefix, "value", key.lineno)
    return table.args[0] if isinstance(table, ast.Call) else table


def see_home_method(walk: Walk, node: ast.Call) -> None:
    """The same by a method: `f.__globals__.get(name)`."""
    match node:
        case ast.Call(func=ast.Attribute(value=table, attr=attr), args=[key, *_]) if attr in _ITEMS:
            see_home_item(walk, table, key)
        case _:
            return


def see_home_text(walk: Walk, node: ast.Call) -> None:
    """`eval(text, f.__globals__)`: texts of that module are run in it."""
    for namespace in node.args[1:2]:
        match namespace:
            case ast.Attribute(value=function, attr="__globals__"):
                values = walk.holding(owner_of(function, walk.scope))
                walk.use(HomeUse(values, node.lineno, runs_text=True))
            case _:
                continue


def owner_of(node: ast.expr, scope: Scope) -> ast.expr:
    """The object whose class is looked at: `type(x)`, `x.__class__`, or a name for it."""
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
    """Whether the node is the table of names of a module that is not known."""
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


@once
def _has_namespaces(module: Module) -> bool:
    """Whether the file may get at the names of other modules: looked for once."""
    text = module.source.text
    words = ("modules", "import_module", "__import__", "getmodule", "__globals__", "f_globals")
    return any(word in text for word in words)


@once
def _looks_up(module: Module, unit: Unit) -> bool:
    """Whether the statement looks modules up by their names."""
    return _LOOKS_UP.search(module.text_of(unit)) is not None
