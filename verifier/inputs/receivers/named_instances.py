"""Instances of the classes that a target's text names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice

from ....mocker.flow.annotation_flow import annotate
from ....mocker.shapes import infer
from ....mocker.shapes.shape import Either, Maybe, Object, Shape
from ....slicer.analysis.scopes.definitions import Scope, function_scope
from ....slicer.emission.manifest.suggestions.target_functions import TargetFunction
from ..argument_builder import ArgumentBuilder
from ..types.known_classes import KNOWN, OTHER_INSTANCES
from ..types.tested_values import accepted_texts, builtin_text, item_names, tested_classes


def instances(builder: ArgumentBuilder, function: TargetFunction, cls: ast.expr) -> Iterator[str]:
    """Yield instances of a class that the target names, also through a local import."""
    text = builtin_text(cls)
    if text:
        yield text
        return
    shape = shape_of(builder, function, cls)
    made = list(islice(builder.texts(shape), 1))
    yield from made
    if any(text.startswith("type(") for text in made):
        yield from (f"object.__new__({name})" for name in _library_class(shape))
        yield from library_instances(shape)


def library_instances(shape: Shape) -> Iterator[str]:
    """Yield an instance of a library's class, made by its constructor without arguments.

    The errors that the constructor raises tell its required arguments. Well-known classes have
    further instances besides the likeliest.
    """
    shape = shape.shape if isinstance(shape, Maybe | Either) else shape
    if isinstance(shape, Object) and shape.type_name in KNOWN:
        yield from OTHER_INSTANCES.get(shape.type_name, ())
    else:
        yield from (f"{name}()" for name in _library_class(shape))


def _library_class(shape: Shape) -> Iterator[str]:
    """Yield an expression for the library class of a shape."""
    if isinstance(shape, Object) and shape.own is None and not shape.is_class:
        module, _, name = shape.type_name.rpartition(".")
        if module and name.isidentifier():
            yield f"__import__({module!r}, fromlist=[{name!r}]).{name}"


def tested_instances(
    builder: ArgumentBuilder, function: TargetFunction, place: str
) -> Iterator[str]:
    """Yield instances of the classes that a value is tested for; lists of one for its items.

    Args:
        builder: builds the values.
        function: the target.
        place: a parameter's name, or an attribute as it is written.
    """
    for cls in tested_classes(function.node, place):
        yield from instances(builder, function, cls)
    yield from accepted_texts(function.node, place)
    for name in item_names(function.node, place):
        for cls in tested_classes(function.node, name):
            yield from (f"[{text}]" for text in instances(builder, function, cls))


def shape_of(builder: ArgumentBuilder, function: TargetFunction, annotation: ast.expr) -> Shape:
    """Return the shape for an annotation or class name in the target."""
    return annotated_shape(builder, annotation, scope_of(function))


def scope_of(function: TargetFunction) -> Scope:
    """Return the scope in which the target's text is resolved."""
    return function_scope(function.node, function.enclosing, function.owner)


def annotated_shape(builder: ArgumentBuilder, annotation: ast.expr, scope: Scope) -> Shape:
    """Return the shape for an annotation in a scope."""
    value = builder.walk.graph.new()
    annotate(builder.walk, value, annotation, scope)
    return infer(builder.follower.uses((value,)), "any", "")
