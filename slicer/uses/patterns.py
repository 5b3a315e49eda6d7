"""Patterns of `match` statements."""

from __future__ import annotations

import ast

from ..known import EQUALITY, ITERATION
from .records import MemberUse, ProtocolUse
from .walk import Walk


def see_match_class(walk: Walk, node: ast.MatchClass) -> None:
    """A class pattern."""
    walk.see(node.cls, "test")
    for name in node.kwd_attrs:
        walk.use(MemberUse(None, name, "value", node.lineno))
    if node.patterns:
        walk.use(MemberUse(None, "__match_args__", "value", node.lineno))
    walk.see_all([*node.patterns, *node.kwd_patterns])


def see_match_value(walk: Walk, node: ast.MatchValue) -> None:
    """A value pattern."""
    walk.see(node.value)
    walk.use(ProtocolUse(None, EQUALITY, node.lineno))


def see_match_mapping(walk: Walk, node: ast.MatchMapping) -> None:
    """A mapping pattern."""
    walk.see_all(node.keys)
    walk.see_all(node.patterns)
    walk.use(ProtocolUse(None, ("keys", "get", "__getitem__", "__len__"), node.lineno))


def see_match_sequence(walk: Walk, node: ast.MatchSequence) -> None:
    """A sequence pattern."""
    walk.see_all(node.patterns)
    walk.use(ProtocolUse(None, (*ITERATION, "__getitem__", "__len__"), node.lineno))
