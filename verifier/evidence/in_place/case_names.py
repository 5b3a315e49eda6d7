"""Rewrite cases of a merged script for modules with separate namespaces."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import cast

from ....slicer.syntax.scopes import bound_inside
from ...execution.executors.interface import Case


def in_own_namespaces(case: Case, modules: Mapping[str, str]) -> Case:
    """Return the case with each of these names taken from its defining module.

    Args:
        case: a call of the target.
        modules: maps each name to its module.
    """
    tree = ast.parse(case.code)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} & modules.keys()
    used -= bound_inside(tree)
    if not used:
        return case
    taken = {name: modules[name] for name in used}
    changed = ast.fix_missing_locations(cast("ast.AST", _Taken(taken).visit(tree)))
    return Case(case.name, ast.unparse(changed) + "\n")


class _Taken(ast.NodeTransformer):
    def __init__(self, modules: Mapping[str, str]) -> None:
        self._modules = modules

    def visit_Name(self, node: ast.Name) -> ast.AST:
        module = self._modules.get(node.id)
        if module is None:
            return node
        imported = f'__import__("importlib").import_module({module!r})'
        return ast.Attribute(ast.parse(imported, mode="eval").body, node.id, node.ctx)

    def visit_Global(self, node: ast.Global) -> ast.AST:
        left = [name for name in node.names if name not in self._modules]
        return ast.Global(left) if left else ast.Pass()
