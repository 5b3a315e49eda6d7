"""Values of the further members of a union; other code takes its first one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice

from ....slicer.analysis.scopes.definitions import Scope
from ....slicer.emission.manifest.suggestions.target_functions import TargetFunction
from ..argument_builder import ArgumentBuilder
from ..receivers.named_instances import annotated_shape, scope_of

_MOST_MEMBERS = 8
"""Members of a union that are tried."""
_DEEPEST = 12


def other_union_members(
    builder: ArgumentBuilder, function: TargetFunction, annotation: ast.expr | None
) -> Iterator[str]:
    """Yield one value of each member of a union but the first.

    Args:
        builder: builds the values.
        function: the target.
        annotation: annotation of one of its parameters.
    """
    if annotation is None:
        return
    members = [m for m in _members(builder, annotation, scope_of(function)) if not _is_none(m[0])]
    for member, scope in members[1:_MOST_MEMBERS]:
        yield from islice(builder.texts(annotated_shape(builder, member, scope)), 1)


def _members(
    builder: ArgumentBuilder, node: ast.expr, scope: Scope, depth: int = 0
) -> Iterator[tuple[ast.expr, Scope]]:
    """Yield the members of a union, through aliases, with the scopes to resolve them in."""
    if depth > _DEEPEST:  # a recursive alias
        return
    match node:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            parts = [left, right]
        case ast.Subscript(
            value=ast.Name(id="Union" | "Optional") | ast.Attribute(attr="Union" | "Optional"),
            slice=inner,
        ):
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        case ast.Constant(value=str() as text):
            try:
                parts = [ast.parse(text, mode="eval").body]
            except SyntaxError:
                return
        case ast.Name() | ast.Attribute():
            alias = builder.walk.inference.alias_target(node, scope)
            if alias is None:
                yield node, scope
                return
            parts, scope = [alias[0]], alias[1]
        case _:
            yield node, scope
            return
    for part in parts:
        yield from _members(builder, part, scope, depth + 1)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
