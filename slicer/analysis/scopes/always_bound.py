"""Whether running a block always binds a name: `if DEBUG: import time` may not."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ...repo.module import Module
from ...syntax.memo import memo
from ...syntax.nodes import walk
from ...syntax.scopes import imported_as


@memo
def is_always_bound(module: Module, name: str) -> bool:
    """Whether the module's statements bind the name on every path through them."""
    units = module.bindings.get(name, ())
    return any(_binds([node], name) for unit in units for node in unit.nodes)


def _binds(block: Sequence[ast.stmt], name: str) -> bool:
    return any(_statement_binds(node, name) for node in block)


def _statement_binds(node: ast.stmt, name: str) -> bool:
    match node:
        case ast.If(body=body, orelse=orelse):
            return _passes_bound(body, name) and _passes_bound(orelse, name)
        case (
            ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=last)
            | ast.TryStar(body=body, handlers=handlers, orelse=orelse, finalbody=last)
        ):
            branches = [[*body, *orelse], *(handler.body for handler in handlers)]
            return _binds(last, name) or all(_passes_bound(way, name) for way in branches)
        case ast.With(body=body):
            return _binds(body, name) or _stores(node, name)
        case ast.For() | ast.While() | ast.Match():
            return False
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return node.name == name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return any(imported_as(alias) in (name, "*") for alias in names)
        case _:
            return _stores(node, name)


def _passes_bound(block: Sequence[ast.stmt], name: str) -> bool:
    """Whether the block binds the name, or ends with `raise`."""
    return _binds(block, name) or (bool(block) and isinstance(block[-1], ast.Raise))


def _stores(node: ast.stmt, name: str) -> bool:
    return any(
        isinstance(item, ast.Name) and item.id == name and isinstance(item.ctx, ast.Store)
        for item in walk(node)
    )
