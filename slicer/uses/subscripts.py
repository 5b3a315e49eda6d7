"""Subscripts: items, arguments of generic classes, and names in `globals()`."""

from __future__ import annotations

import ast

from ..known import EQUALITY
from ..values import ClassValue, External, ModuleValue
from .name_patterns import name_patterns
from .records import DynamicUse, GapUse, NameUse
from .walk import Walk


def see_subscript(walk: Walk, node: ast.Subscript) -> None:
    """An item, or the arguments of a generic class."""
    if walk.role in ("annotation", "base"):
        walk.see(node.value, walk.role)
        if not _is_literal_type(node.value):
            walk.see(node.slice, "annotation")
        return
    if _names_by_text(walk, node):
        return
    if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
        walk.changed = node.value
    walk.see(node.value, "receiver")
    walk.see(node.slice)
    match node.ctx:
        case ast.Load():
            members: tuple[str, ...] = ("__getitem__", "__class_getitem__", "__missing__")
        case ast.Store():
            members = ("__setitem__",)
        case _:
            members = ("__delitem__",)
    walk.protocol(node.value, members)
    if not isinstance(node.slice, (ast.Slice, ast.Constant)) and not _is_type(walk, node.value):
        walk.protocol(node.slice, (*EQUALITY, "__index__"))


def _is_type(walk: Walk, node: ast.expr) -> bool:
    """Whether the node is a class, so that a subscript of it is a generic alias."""
    values = walk.values(node)
    return bool(values) and all(
        isinstance(v, ClassValue)
        or (isinstance(v, External) and v.name.startswith(("builtins.", "typing.", "collections.")))
        for v in values
    )


def _names_by_text(walk: Walk, node: ast.Subscript) -> bool:
    """`globals()["do_" + name]`: the module's names with the prefix."""
    match node.value:
        case ast.Call(func=ast.Name(id="globals" | "vars" as name), args=[]):
            if name == "vars" and walk.scope.parent is not None:
                return False
        case _:
            return False
    walk.see(node.slice)
    walk.flags.add("globals")
    own = frozenset({ModuleValue(walk.module, walk.module)})
    for prefix, suffix, exact in name_patterns(node.slice, walk.scope):
        if exact:
            walk.use(NameUse(walk.module, prefix, "value", node.lineno))
        else:
            walk.use(DynamicUse(own, prefix, suffix, node.lineno))
            detail = f"a global named at run time: every {prefix}*{suffix} of the module is kept"
            walk.use(GapUse("dynamic-name", node.lineno, detail))
    return True


def _is_literal_type(node: ast.expr) -> bool:
    match node:
        case ast.Name(id="Literal") | ast.Attribute(attr="Literal"):
            return True
        case _:
            return False
