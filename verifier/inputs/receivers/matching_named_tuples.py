"""Named tuples of the slice with the attributes that a target reads of a parameter."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice

from ....mocker.flow.annotation_flow import annotate, bases_of, fields_of
from ....mocker.flow.named_tuples import NamedTupleInfo
from ....mocker.shapes import infer
from ....mocker.shapes.gathered_uses import merged
from ....mocker.shapes.shape import Object
from ....slicer.analysis.scopes.definitions import ClassInfo
from ....slicer.emission.manifest.suggestions.target_functions import TargetFunction
from ..argument_builder import ArgumentBuilder
from .named_instances import scope_of

_METHODS = frozenset("_replace _asdict _fields".split())
"""Methods that every named tuple has."""
_MOST = 4


def fitting_tuples(
    builder: ArgumentBuilder, function: TargetFunction, arg: ast.arg
) -> Iterator[str]:
    """Yield named tuples that the target names and that have all attributes it reads.

    Nothing for a parameter with an annotation, or of which no attribute is read.
    """
    read = frozenset(_read(function.node, arg.arg)) - _METHODS
    if arg.annotation is None and read:
        yield from islice(_fitting(builder, function, arg, read), _MOST)


def _read(node: ast.AST, name: str) -> Iterator[str]:
    for each in ast.walk(node):
        match each:
            case ast.Attribute(value=ast.Name(id=holder), attr=attr) if holder == name:
                yield attr
            case _:
                pass


def _fitting(
    builder: ArgumentBuilder, function: TargetFunction, arg: ast.arg, read: frozenset[str]
) -> Iterator[str]:
    graph = builder.walk.graph
    used = builder.uses_of(function.node, arg.arg)
    scope = scope_of(function)
    names = {n.id: n for n in ast.walk(function.node) if isinstance(n, ast.Name)}
    for name in names.values():
        said = graph.new()
        annotate(builder.walk, said, name, scope)
        shape = infer(merged(used, builder.follower.uses((said,))), "any", arg.arg)
        own = shape.own if isinstance(shape, Object) else None
        if read <= _fields(builder, own):
            yield from builder.texts(shape)


def _fields(builder: ArgumentBuilder, own: object) -> frozenset[str]:
    """Return the fields of a named tuple in the slice; none for anything else."""
    match own:
        case NamedTupleInfo() if builder.keeps_class(own):
            return frozenset(each.name for each in own.fields)
        case ClassInfo() if builder.keeps_class(own):
            is_tuple = any(base.endswith("NamedTuple") for base in bases_of(builder.walk, own))
            names = (each.name for each in fields_of(builder.walk, own))
            return frozenset(names) if is_tuple else frozenset()
        case _:
            return frozenset()
