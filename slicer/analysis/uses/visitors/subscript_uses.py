"""Visitor for subscripts: items, arguments of generic classes, and names in `globals()`."""

from __future__ import annotations

import ast

from ....repo.repository import STDLIB
from ....syntax.builtin_models import EQUALITY
from ...values.abstract_values import ClassValue, External
from ..guards.presence_tests import rebuilds
from ..names_in_text.global_tables import visit_global_item
from ..names_in_text.namespace_calls import visit_dict_entry
from ..names_in_text.object_modules import visit_home_item
from ..use_walk import Walk


def visit_subscript(walk: Walk, node: ast.Subscript) -> None:
    """Visit an item access, or the arguments of a generic class."""
    if walk.role in ("annotation", "base"):
        walk.visit(node.value, walk.role)
        if walk.role == "base" and _is_foreign(walk, node.value):
            walk.visit(node.slice)  # a library base may instantiate its arguments
        elif not _is_literal_type(node.value):
            walk.visit(node.slice, "annotation")
        return
    if visit_global_item(walk, node) or visit_dict_entry(walk, node):
        return
    if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
        walk.changed = node.value
    if rebuilds(walk, node):
        walk.key_tested.add(node.value)
    walk.visit(visit_home_item(walk, node.value, node.slice), "receiver")
    walk.visit(node.slice)
    match node.ctx:
        case ast.Load():
            members: tuple[str, ...] = ("__getitem__", "__class_getitem__", "__missing__")
        case ast.Store():
            members = ("__setitem__",)
        case _:
            members = ("__delitem__",)
    walk.protocol(node.value, members)
    if isinstance(node.slice, ast.Slice):
        for bound in filter(None, (node.slice.lower, node.slice.upper, node.slice.step)):
            walk.protocol(bound, ("__index__",))
    elif not isinstance(node.slice, ast.Constant) and not _is_type(walk, node.value):
        walk.protocol(node.slice, (*EQUALITY, "__index__"))


def _is_type(walk: Walk, node: ast.expr) -> bool:
    """Whether the node is a class, so that its subscript is a generic alias."""
    values = walk.values(node)
    return bool(values) and all(
        isinstance(v, ClassValue)
        or (isinstance(v, External) and v.name.startswith(("builtins.", "typing.", "collections.")))
        for v in values
    )


def _is_foreign(walk: Walk, node: ast.expr) -> bool:
    """Whether the node is a class of another distribution."""
    return any(
        isinstance(value, External) and value.name.partition(".")[0] not in STDLIB
        for value in walk.values(node) or ()
    )


def _is_literal_type(node: ast.expr) -> bool:
    match node:
        case ast.Name(id="Literal") | ast.Attribute(attr="Literal"):
            return True
        case _:
            return False
