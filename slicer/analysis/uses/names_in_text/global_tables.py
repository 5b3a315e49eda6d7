"""`globals()` as a table of names: which module-level names a lookup or an iteration may yield."""

from __future__ import annotations

import ast

from ...values.abstract_values import ModuleValue
from ..use_records import DynamicUse, GapUse, NameUse
from ..use_walk import Walk
from .name_patterns import name_patterns

_LOOKED_UP = frozenset({"get", "pop", "setdefault", "__getitem__"})
_WALKED = frozenset({"values", "items"})


def visit_global_item(walk: Walk, node: ast.Subscript) -> bool:
    """Record an item of `globals()`, as `globals()["do_" + name]`; return whether it is one."""
    if not _is_table(walk, node.value):
        return False
    _keep_spelled_names(walk, node.slice)
    return True


def visit_global_method(walk: Walk, node: ast.Call) -> bool:
    """Record `globals().get(name)` or `.values()`; return whether the call is such a one."""
    match node.func:
        case ast.Attribute(value=table, attr=attr) if _is_table(walk, table):
            pass
        case _:
            return False
    if attr in _LOOKED_UP and node.args:
        _keep_spelled_names(walk, node.args[0])
        walk.visit_all(node.args[1:])
        return True
    if attr in _WALKED:
        _any(walk, "", "", node.lineno)
        return True
    return False


def _keep_spelled_names(walk: Walk, name: ast.expr) -> None:
    """Keep the module-level names that the expression may spell."""
    walk.visit(name)
    walk.flags.add("globals")
    for each in name_patterns(name, walk.scope):
        if each.is_open:
            _any(walk, each.text, each.suffix, name.lineno)
        else:
            walk.use(NameUse(walk.module, each.text, "value", name.lineno))


def _any(walk: Walk, prefix: str, suffix: str, line: int) -> None:
    own = frozenset({ModuleValue(walk.module, walk.module)})
    walk.flags.add("globals")
    walk.use(DynamicUse(own, prefix, suffix, line))
    detail = f"a global named at run time: every {prefix}*{suffix} of the module is kept"
    walk.use(GapUse("dynamic-name", line, detail))


def _is_table(walk: Walk, node: ast.expr) -> bool:
    """Whether the node is the module's own namespace."""
    match node:
        case ast.Call(func=ast.Name(id="globals"), args=[]):
            return True
        case ast.Call(func=ast.Name(id="vars" | "locals"), args=[]):
            return walk.scope.parent is None
        case _:
            return False
