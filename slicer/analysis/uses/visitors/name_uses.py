"""Visitor for names and attributes: what they resolve to, and how they are used."""

from __future__ import annotations

import ast
from collections.abc import Set as AbstractSet

from ...names.name_resolution import ImportedModule, ImportedName
from ...scopes.definitions import Scope
from ...values.abstract_values import (
    ClassValue,
    External,
    ExternalInstance,
    Instance,
    Value,
    Values,
    ordered,
)
from ..names_in_text.mapper_calls import visit_all_tables
from ..names_in_text.object_modules import visit_home
from ..use_records import (
    VALUE_ROLES,
    CallUse,
    ImportUse,
    MemberUse,
    NameUse,
    ReplacedUse,
    Role,
    SubmoduleUse,
)
from ..use_walk import Walk

_SPECIAL_NAMES = frozenset(
    {"__name__", "__file__", "__doc__", "__package__", "__spec__", "__path__", "__loader__",
     "__builtins__", "__annotations__"}
)  # fmt: skip


def visit_name(walk: Walk, node: ast.Name) -> None:
    """Record a name: of this module, the enclosing class body, or a local import."""
    holder = walk.scope.lookup(node.id)
    if holder is not None:
        if holder.is_class and holder.owner and isinstance(node.ctx, ast.Load):
            # a class body reads its own names: `__or__ = union`, `x = property(_get)`
            owner = frozenset({ClassValue(holder.owner)})
            walk.use(MemberUse(owner, node.id, walk.role, node.lineno))
            if walk.inference.names.has(walk.module, node.id):
                # before the class binds it, it is the module's: `plain = json`, `def json(…)`
                walk.use(NameUse(walk.module, node.id, walk.role, node.lineno))
        _see_imported_here(walk, holder, node)
        if walk.role == "value" and not holder.is_class:
            _see_class_made_here(walk, holder, node)
        return
    if node.id in walk.own_names and walk.scope.parent is None:
        return
    if node.id in _SPECIAL_NAMES:
        walk.flags.add(node.id)
    role: Role = "store" if isinstance(node.ctx, (ast.Store, ast.Del)) else walk.role
    role = "write" if node is walk.changed else role
    role = "register" if node is walk.decorating else role
    role = "presence" if node in walk.key_tested else role
    name = mangled(node.id, walk.scope)
    walk.use(NameUse(walk.module, name, role, node.lineno))
    if role in (*VALUE_ROLES, "base"):
        _note_external(walk, node)


def _see_class_made_here(walk: Walk, holder: Scope, node: ast.Name) -> None:
    """Record a local class that escapes, so that any receiver may call it."""
    if any(binder.kind == "class" for binder in holder.binders[node.id]):
        classes = frozenset(v for v in walk.values(node) or () if isinstance(v, ClassValue))
        walk.use(CallUse(classes, (), (), True, True, node.lineno))


def _see_imported_here(walk: Walk, holder: Scope, node: ast.Name) -> None:
    """Record the use of a name that an import inside the function binds."""
    for binder in holder.binders[node.id]:
        if not isinstance(binder.node, (ast.Import, ast.ImportFrom)):
            continue
        for alias in binder.node.names:
            if (alias.asname or alias.name) != node.id:
                continue
            match walk.inference.names.imported(walk.module, binder.node, alias):
                case ImportedName(module=source, name=name):
                    role = "presence" if node in walk.key_tested else walk.role
                    walk.use(NameUse(source, name, role, node.lineno))
                case ImportedModule() if walk.role in VALUE_ROLES:
                    walk.use(ImportUse(walk.module, binder.node, binder.node.lineno, "value"))
                case _ if walk.role in (*VALUE_ROLES, "base"):
                    _note_external(walk, node)
                case _:
                    continue


def _note_external(walk: Walk, node: ast.expr) -> None:
    for value in walk.values(node) or ():
        if isinstance(value, External):
            walk.externals.add(value.name)


def visit_attribute(walk: Walk, node: ast.Attribute) -> None:
    """Record an attribute access on all values of its receiver."""
    role: Role = "store" if isinstance(node.ctx, (ast.Store, ast.Del)) else walk.role
    values = walk.possible(node.value)
    role = "data" if node in walk.without_methods else role
    if node.attr == "__path__":
        walk.flags.add(node.attr)
    walk.visit(node.value, "receiver")
    visit_home(walk, node)
    if isinstance(node.value, ast.Attribute):
        _see_submodule(walk, node.value, values)
    walk.member(values, node.attr, role, node.lineno)
    if values and _may_be_replaced(walk, node.value, values):
        walk.use(ReplacedUse(node.attr, node.lineno))
    visit_all_tables(walk, node)


def _see_submodule(walk: Walk, node: ast.Attribute, values: Values) -> None:
    """Record a submodule access: `xml.dom` in `xml.dom.minidom` exists only once imported."""
    for value in ordered(values):
        if isinstance(value, External) and isinstance(node.value, (ast.Name, ast.Attribute)):
            walk.use(SubmoduleUse(walk.module, value.name, node.lineno))


def _may_be_replaced(walk: Walk, receiver: ast.expr, values: AbstractSet[Value]) -> bool:
    """Whether the receiver is a repository object's attribute with only external known values."""
    return (
        isinstance(receiver, ast.Attribute)
        and all(isinstance(value, (External, ExternalInstance)) for value in values)
        and any(isinstance(owner, Instance) for owner in walk.possible(receiver.value) or ())
    )


def mangled(name: str, scope: Scope | None) -> str:
    """Return a global name as Python mangles it inside a class: `__x` in class `C` is `_C__x`."""
    if not name.startswith("__") or name.endswith("__"):
        return name
    while scope is not None:
        if scope.owner is not None:
            return f"_{scope.owner.node.name.lstrip('_')}{name}"
        scope = scope.parent
    return name
