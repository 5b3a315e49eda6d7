"""Texts of drafts as syntax trees, and trees with some nodes replaced."""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import is_not
from typing import cast

from ....slicer.syntax.nodes import walk
from ...inputs.statements import PARSED_RECEIVER, Statement, named, with_open_name
from .fixed_parts import fixed_nodes


@dataclass(frozen=True, slots=True)
class Tree:
    """A text's syntax tree. Trees are cached, so callers must not change the nodes."""

    root: ast.mod
    nodes: tuple[ast.AST, ...]
    """All nodes but operators, in the order of `ast.walk`."""
    fixed: frozenset[int]
    """Ids of the nodes that no variation may change."""

    @property
    def expression(self) -> ast.expr | None:
        """Return the text's expression, or `None` for statements."""
        return self.root.body if isinstance(self.root, ast.Expression) else None


@lru_cache(maxsize=128)
def parsed(text: str) -> Tree | None:
    """Parse an expression or statement. Return `None` if the text is neither."""
    root = fresh_tree(text)
    if root is None:
        return None
    nodes = tuple(walk(root))
    return Tree(root, nodes, fixed_nodes(nodes))


def fresh_tree(text: str) -> ast.mod | None:
    """Parse an expression or statement into a tree that callers may change."""
    text = named(text, PARSED_RECEIVER)
    for mode in ("eval", "exec"):
        try:
            return ast.parse(text, mode=mode)
        except (SyntaxError, ValueError, RecursionError):
            continue
    return None


def nodes_of(statement: Statement) -> list[ast.stmt]:
    """Return the nodes of a statement about the receiver; none if it is about something else."""
    try:
        is_own = statement.names_receiver
        return ast.parse(named(statement.text, PARSED_RECEIVER)).body if is_own else []
    except (SyntaxError, ValueError, RecursionError):
        return []


def unparsed(tree: ast.AST) -> str:
    """Return the text of a tree, as drafts write it."""
    if not isinstance(tree, ast.Expression):  # `unparse` needs the line numbers of statements
        ast.fix_missing_locations(tree)
    return with_open_name(ast.unparse(tree))


def constant(value: object) -> ast.expr:
    """Return the expression of a plain value. Members of a set are sorted."""
    if isinstance(value, set) and value:
        members = sorted(cast("set[object]", value), key=repr)
        return ast.Set([constant(each) for each in members])
    return ast.parse(repr(cast("object", value)), mode="eval").body


def with_nodes(tree: Tree, nodes: Mapping[int, ast.expr]) -> ast.AST:
    """Return a copy of a tree with some nodes replaced, each given by its index.

    The copy shares the unchanged parts with the original, which is not modified.
    """
    return _with(tree.root, {id(tree.nodes[at]): node for at, node in nodes.items()})


def _with(node: ast.AST, made: Mapping[int, ast.expr]) -> ast.AST:
    if id(node) in made:
        return made[id(node)]
    changed: dict[str, object] = {}
    for name, value in ast.iter_fields(node):
        old = cast("list[object]", value if isinstance(value, list) else [value])
        new = [_with(each, made) if isinstance(each, ast.AST) else each for each in old]
        if any(map(is_not, old, new)):
            changed[name] = new if old is value else new[0]
    if not changed:
        return node
    other = copy.copy(node)
    for name, value in changed.items():
        setattr(other, name, value)
    return other
