"""Instances of the classes that a target names in its own text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice

from ...mocker.flow.annotations import annotate
from ...mocker.shapes import infer
from ...mocker.shapes.model import Shape
from ...slicer.definitions import Scope, function_scope
from ...slicer.suggest.functions import TargetFunction
from .arguments import Maker
from .tested import asked_texts, builtin_text, item_names, tested_classes

_MOST_MEMBERS = 8
"""Of a union that are tried."""
_DEEPEST = 12


def instances(maker: Maker, function: TargetFunction, cls: ast.expr) -> Iterator[str]:
    """Instances of a class that the target names, which it may have imported itself."""
    text = builtin_text(cls)
    yield from [text] if text else islice(maker.texts(shape_of(maker, function, cls)), 1)


def tested_instances(maker: Maker, function: TargetFunction, place: str) -> Iterator[str]:
    """Instances of what a place is tested for; lists of one where its items are.

    Args:
        maker: makes the values.
        function: the target.
        place: a parameter's name, or an attribute as it is written.
    """
    for cls in tested_classes(function.node, place):
        yield from instances(maker, function, cls)
    yield from asked_texts(function.node, place)
    for name in item_names(function.node, place):
        for cls in tested_classes(function.node, name):
            yield from (f"[{text}]" for text in instances(maker, function, cls))


def of_further_members(
    maker: Maker, function: TargetFunction, annotation: ast.expr | None
) -> Iterator[str]:
    """One of each member of a union but the first, which is what the annotation is taken for."""
    if annotation is None:
        return
    members = [m for m in _members(maker, annotation, _scope(function)) if not _is_none(m[0])]
    for member, scope in members[1:_MOST_MEMBERS]:
        yield from islice(maker.texts(_annotated(maker, member, scope)), 1)


def _members(
    maker: Maker, node: ast.expr, scope: Scope, depth: int = 0
) -> Iterator[tuple[ast.expr, Scope]]:
    """The members of a union, through aliases, and where they are to be read."""
    if depth > _DEEPEST:  # an alias of itself
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
            meant = maker.walk.inference.meant(node, scope)
            if meant is None:
                yield node, scope
                return
            parts, scope = [meant[0]], meant[1]
        case _:
            yield node, scope
            return
    for part in parts:
        yield from _members(maker, part, scope, depth + 1)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def shape_of(maker: Maker, function: TargetFunction, annotation: ast.expr) -> Shape:
    """What an annotation says, or the name of a class, that stands in the target."""
    return _annotated(maker, annotation, _scope(function))


def _scope(function: TargetFunction) -> Scope:
    return function_scope(function.node, function.enclosing, function.owner)


def _annotated(maker: Maker, annotation: ast.expr, scope: Scope) -> Shape:
    held = maker.walk.graph.new()
    annotate(maker.walk, held, annotation, scope)
    return infer(maker.follower.uses((held,)), "any", "")
