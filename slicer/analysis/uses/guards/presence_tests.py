"""Tables that code only tests for the presence of a key, and raises if it is missing.

`if key not in TABLE: raise` needs no entry of another key, and code that raises does not go wrong
silently. `if key in TABLE: raise` counts where the same definition fills the table: no module would
load if it raised. Code that rebuilds a copied object looks up that object's own name, which is the
function that `__reduce__` names.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ....repo.repository import Module
from ....syntax.builtin_models import MUTATORS
from ....syntax.memo import memo
from ....syntax.nodes import walk as nodes_of
from ..use_walk import Walk

_REDUCES = frozenset({"__reduce__", "__reduce_ex__"})


def presence_tests(walk: Walk, node: ast.If) -> Iterator[ast.Name]:
    """Yield the tables that a branch's test checks for a key, if the branch only raises."""
    if [type(each) for each in node.body] != [ast.Raise]:
        return
    parts = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
    for part in parts:
        match part:
            case ast.Compare(ops=[ast.NotIn()], comparators=[ast.Name() as table]):
                yield table
            case ast.Compare(ops=[ast.In()], comparators=[ast.Name(id=name) as table]) if any(
                _fills(each, name) for top in walk.unit.nodes for each in nodes_of(top)
            ):
                yield table
            case _:
                continue


def _fills(node: ast.AST, name: str) -> bool:
    """Whether the node adds an entry to the table with that name."""
    match node:
        case ast.Subscript(value=ast.Name(id=filled), ctx=ast.Store()):
            return filled == name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=filled), attr=method)):
            return filled == name and method in MUTATORS
        case _:
            return False


def rebuilds(walk: Walk, node: ast.Subscript) -> bool:
    """Whether a function that copying calls looks something up by its argument."""
    match node:
        case ast.Subscript(value=ast.Name(), slice=ast.Name(id=key), ctx=ast.Load()):
            holder = walk.scope.lookup(key)
        case _:
            return False
    return (
        holder is not None
        and holder is walk.scope
        and any(isinstance(binder.node, ast.arg) for binder in holder.binders[key])
        and any(name in _rebuilders(walk.module) for name in walk.unit.binds)
        and walk.unit.kind == "function"
    )


@memo
def _rebuilders(module: Module) -> frozenset[str]:
    """Return the functions that the module names only where it says how objects are copied."""
    if not any(name in module.source.text for name in _REDUCES):
        return frozenset()
    named: dict[str, int] = {}
    for method in nodes_of(module.source.tree):
        if isinstance(method, ast.FunctionDef) and method.name in _REDUCES:
            for node in nodes_of(method):
                if isinstance(node, ast.Name) and node.id in module.bindings:
                    named[node.id] = named.get(node.id, 0) + 1
    return frozenset(
        name
        for name, count in named.items()
        if name.startswith("_")
        and len(re.findall(rf"\b{re.escape(name)}\b", module.source.text)) == count + 1
    )
