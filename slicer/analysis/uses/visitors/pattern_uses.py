"""Visitor for patterns of `match` statements."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....syntax.builtin_models import EQUALITY, ITERATION
from ....syntax.nodes import walk as walk_nodes
from ...values.abstract_values import ClassValue, ordered
from ..use_records import MemberUse, ProtocolUse
from ..use_walk import Walk


def visit_match_class(walk: Walk, node: ast.MatchClass) -> None:
    """Visit a class pattern."""
    walk.visit(node.cls, "test")
    for name in walk.deciding(node.cls):
        walk.use(MemberUse(None, name, "value", node.lineno))
    for name in node.kwd_attrs:
        walk.use(MemberUse(None, name, "value", node.lineno))
    if node.patterns:
        walk.use(MemberUse(None, "__match_args__", "value", node.lineno))
        for name in _positional_names(walk, node):
            walk.use(MemberUse(None, name, "value", node.lineno))
    walk.visit_all([*node.patterns, *node.kwd_patterns])


def _positional_names(walk: Walk, node: ast.MatchClass) -> Iterator[str]:
    """Yield the attributes that positional patterns read, from the class's `__match_args__`."""
    for value in ordered(walk.values(node.cls)):
        if not isinstance(value, ClassValue):
            continue
        found = walk.inference.find_member(value.cls, "__match_args__")
        for unit in found[1] if found else ():
            for part in walk_nodes(unit.node) if unit.node else ():
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value


def visit_match_value(walk: Walk, node: ast.MatchValue) -> None:
    """Visit a value pattern."""
    walk.visit(node.value)
    walk.use(ProtocolUse(None, EQUALITY, node.lineno))


def visit_match_mapping(walk: Walk, node: ast.MatchMapping) -> None:
    """Visit a mapping pattern."""
    walk.visit_all(node.keys)
    walk.visit_all(node.patterns)
    walk.use(ProtocolUse(None, ("keys", "get", "__getitem__", "__len__"), node.lineno))


def visit_match_sequence(walk: Walk, node: ast.MatchSequence) -> None:
    """Visit a sequence pattern."""
    walk.visit_all(node.patterns)
    walk.use(ProtocolUse(None, (*ITERATION, "__getitem__", "__len__"), node.lineno))
