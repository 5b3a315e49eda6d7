"""The texts of drafts as syntax trees, and trees with others in the place of some nodes."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Mapping
from typing import cast

RECEIVER = "__it__"
"""Stands for `{it}` where a statement is parsed."""


def parsed(text: str) -> ast.mod | None:
    """An expression, or a statement; `None` where it is neither."""
    text = text.replace("{it}", RECEIVER)
    for mode in ("eval", "exec"):
        try:
            return ast.parse(text, mode=mode)
        except (SyntaxError, ValueError, RecursionError):
            continue
    return None


def unparsed(tree: ast.AST) -> str:
    """The text that a draft has for a tree."""
    return ast.unparse(ast.fix_missing_locations(tree)).replace(RECEIVER, "{it}")


def constant(value: object) -> ast.expr:
    """The expression of a plain value; what a set holds is in order."""
    if isinstance(value, set) and value:
        members = sorted(cast("set[object]", value), key=repr)
        return ast.Set([constant(each) for each in members])
    return ast.parse(repr(cast("object", value)), mode="eval").body


def with_nodes(tree: ast.AST, nodes: Mapping[int, ast.expr]) -> ast.AST:
    """A copy of a tree with others in the place of some nodes, each by its number in a walk."""
    whole = copy.deepcopy(tree)  # which is walked in the same order
    made = {id(node): nodes[at] for at, node in enumerate(ast.walk(whole)) if at in nodes}
    return _Replace(lambda node: made.get(id(node))).visit(whole)


class _Replace(ast.NodeTransformer):
    def __init__(self, other: Callable[[ast.AST], ast.AST | None]) -> None:
        self._other = other

    def visit(self, node: ast.AST) -> ast.AST:
        new = self._other(node)
        return super().visit(node) if new is None else new
