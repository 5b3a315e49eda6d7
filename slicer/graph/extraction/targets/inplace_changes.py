"""Facts of in-place changes to global objects."""

from __future__ import annotations

import ast

from ..fact_walk import Walk


def add_mutation(walk: Walk, node: ast.expr) -> None:
    """Record that a global object, or an attribute or item of it, is changed in place."""
    chain: list[str] = []
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Attribute):
            chain.append(node.attr)
        else:
            chain.clear()
        node = node.value
    if isinstance(node, ast.Name) and _is_global(walk, node.id):
        names = (node.id, *reversed(chain))
        walk.builder.refer(names, node.lineno, kind="mutates")


def _is_global(walk: Walk, name: str) -> bool:
    scope = walk.builder.scope
    while scope.parent is not None:
        if name in scope.bindings.global_:
            return True
        if name in scope.bindings.bound or name in scope.env:
            return False
        scope = scope.parent
    return True
