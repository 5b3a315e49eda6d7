"""Reorder keyword arguments where the callee cannot see their order.

The callee is a builtin or a plain function of the file without `**`. The values are computed
without calls, and at most one of them may fail.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

from .....slicer.syntax.scopes import bound_by
from ..pure_expressions import cannot_fail, has_no_effect

if TYPE_CHECKING:
    from ..rewrite_facts import Facts

_BUILT_IN = frozenset("sorted print open max min sum enumerate round int str pow zip".split())


def turned(function: cst.FunctionDef, facts: Facts) -> cst.FunctionDef:
    """Return the function with such arguments reversed."""
    found = function.visit(_Turning(facts, _blind(facts)))
    return found if isinstance(found, cst.FunctionDef) else function


class _Turning(cst.CSTTransformer):
    def __init__(self, facts: Facts, blind: frozenset[str]) -> None:
        super().__init__()
        self._facts = facts
        self._blind = blind

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        match updated_node.func:
            case cst.Name(value=name) if name in self._blind:
                pass
            case _:
                return updated_node
        args = updated_node.args
        first = next((at for at, each in enumerate(args) if each.keyword), len(args))
        named = args[first:]
        if len(named) < 2 or not all(each.keyword for each in named):
            return updated_node
        failing = sum(not cannot_fail(each.value, self._facts) for each in named)
        if failing > 1 or not all(has_no_effect(each.value, self._facts) for each in named):
            return updated_node
        new = [
            each.with_changes(comma=at.comma, whitespace_after_arg=at.whitespace_after_arg)
            for each, at in zip(reversed(named), named, strict=True)
        ]
        return updated_node.with_changes(args=[*args[:first], *new])


def _blind(facts: Facts) -> frozenset[str]:
    """Return names of functions that cannot see the order of keywords."""
    nodes = list(ast.walk(facts.file))
    if any(isinstance(node, ast.alias) and node.name == "*" for node in nodes):
        return frozenset()
    bound = [name for node in nodes for name in bound_by(node)]
    bound += facts.parameters
    plain = {
        node.name
        for node in facts.file.body
        if isinstance(node, ast.FunctionDef) and not node.decorator_list and not node.args.kwarg
    }
    return (_BUILT_IN - set(bound)) | {name for name in plain if bound.count(name) == 1}
