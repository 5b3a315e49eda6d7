"""Facts of the `match` statement and its patterns."""

from __future__ import annotations

import ast

from ...facts import Variable
from ..expressions.operations_read import truth
from ..fact_walk import Walk
from .tested_classes import instances_of


def match_statement(walk: Walk, node: ast.Match) -> bool:
    """Walk `match`: each pattern may be the one that matches."""
    subject = walk.evaluate(node.subject)
    for case in node.cases:
        _pattern(walk, case.pattern, subject)
        if case.guard is not None:
            truth(walk, case.guard)
        walk.execute(case.body)
    return True


def _pattern(walk: Walk, pattern: ast.pattern, subject: Variable | None) -> None:
    builder = walk.builder
    stack: list[tuple[ast.pattern, Variable | None]] = [(pattern, subject)]
    while stack:
        node, value = stack.pop()
        match node:
            case ast.MatchAs():
                if node.pattern is not None:
                    if isinstance(node.pattern, ast.MatchClass) and node.name:
                        value = builder.new()
                        instances_of(walk, node.pattern.cls, value)
                    stack.append((node.pattern, value))
                if node.name:
                    builder.bind(node.name, value)
            case ast.MatchOr() | ast.MatchSequence():
                inner = value if isinstance(node, ast.MatchOr) else None
                stack += [(part, inner) for part in reversed(node.patterns)]
            case ast.MatchClass():
                instance = builder.new()
                instances_of(walk, node.cls, instance)
                stack += [(part, None) for part in reversed(node.patterns)]
                stack += [
                    (part, builder.load(instance, name, node.lineno))
                    for name, part in zip(node.kwd_attrs, node.kwd_patterns, strict=True)
                ]
            case ast.MatchMapping():
                stack += [(part, None) for part in reversed(node.patterns)]
            case ast.MatchValue():
                walk.evaluate(node.value)
            case _:
                pass
