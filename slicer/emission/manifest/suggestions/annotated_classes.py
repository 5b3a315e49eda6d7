"""Repository classes that an annotation names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....analysis.inference.names.type_aliases import bounds_of
from ....analysis.scopes.definitions import ClassInfo, Scope, module_scope
from ....analysis.values.abstract_values import (
    ClassValue,
    ExternalInstance,
    Instance,
    TupleOf,
    Values,
)
from ....syntax.annotation_names import names_in
from .repository_search import Search
from .target_functions import FunctionNode


def annotation_classes(
    search: Search, part: ast.expr, scope: Scope, node: FunctionNode | None = None
) -> list[ClassInfo]:
    """Return the classes behind a name in an annotation, an alias, or a type variable's bounds."""
    found = list(classes_in(search.inference.evaluate(part, scope)))
    found = found or list(classes_in(search.inference.annotation(part, scope)))
    if not found and isinstance(part, ast.Name):
        for bound, place in _type_variable(search, part.id, scope, node):
            for inner in names_in(bound):
                found += classes_in(search.inference.evaluate(inner, place))
    return found


def _type_variable(
    search: Search, name: str, scope: Scope, node: FunctionNode | None
) -> Iterator[tuple[ast.expr, Scope]]:
    for parameter in getattr(node, "type_params", ()):
        if parameter.name == name and getattr(parameter, "bound", None) is not None:
            yield parameter.bound, scope
    for module, unit in search.definitions(scope.module, name):
        yield from ((bound, module_scope(module)) for bound in bounds_of(unit))


def classes_in(values: Values) -> Iterator[ClassInfo]:
    """Yield the classes among the values and inside containers."""
    found: dict[ClassInfo, None] = {}
    stack = list(values or ())
    while stack:
        match stack.pop():
            case Instance(cls=cls) | ClassValue(cls=cls):
                found[cls] = None
            case TupleOf(parts=parts):
                stack.extend(value for part in parts for value in part or ())
            case ExternalInstance(items=items):
                stack.extend(items or ())
            case _:
                continue
    yield from sorted(found, key=lambda cls: cls.key)
