"""Heuristic: a parameter's annotation, default value, and type tests in the body."""

from __future__ import annotations

import ast

from ....analysis.scopes.definitions import function_scope
from ....syntax.annotation_names import names_in
from .annotated_classes import annotation_classes, classes_in
from .open_parameters import TargetParameter
from .related_classes import implementing, is_protocol, subclasses
from .repository_search import Search
from .target_functions import TargetFunction


def from_signature(search: Search, parameter: TargetParameter, function: TargetFunction) -> None:
    """Add the classes that the signature, and tests in the body, name."""
    arg, module = parameter.arg, function.module
    parameter.is_open = parameter.default is None or _is_none(parameter.default)
    if arg.annotation is not None:
        values = search.inference.annotation(arg.annotation, function.enclosing)
        parameter.is_open = values is None
        _from_annotation(search, parameter, arg.annotation, function)
    elif parameter.default is not None:
        for cls in classes_in(search.inference.evaluate(parameter.default, function.enclosing)):
            parameter.add(cls, "its default value", module, parameter.default.lineno)
    scope = function_scope(function.node, function.enclosing, function.owner)
    for test in scope.narrowed.get(arg.arg, ()):
        for part in names_in(test):
            for cls in classes_in(search.inference.evaluate(part, scope)):
                parameter.add(cls, "tested for in the body", module, test.lineno)


def _from_annotation(
    search: Search, parameter: TargetParameter, annotation: ast.expr, function: TargetFunction
) -> None:
    module, line = function.module, parameter.arg.lineno
    for part in names_in(annotation):
        for cls in annotation_classes(search, part, function.enclosing, function.node):
            if is_protocol(cls):
                for other in implementing(search, cls):
                    text = f"has the members of {cls.qualname}, which the annotation names"
                    parameter.add(other, text, module, line)
                continue
            parameter.add(cls, "named by the annotation", module, line)
            for other in subclasses(search, cls):
                text = f"subclass of {cls.qualname}, which the annotation names"
                parameter.add(other, text, module, line)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and (node.value is None or node.value is ...)
