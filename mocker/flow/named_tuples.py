"""Named tuples made by a call: `Point = namedtuple("Point", "x y")`."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from ...slicer.analysis.inference import Inference
from ...slicer.analysis.scopes.definitions import Scope, module_scope
from ...slicer.analysis.values.abstract_values import External
from ...slicer.errors import SourceError
from ...slicer.repo.repository import Module
from ...slicer.repo.units import Unit
from .fields import Field

_UNTYPED = frozenset({"collections.namedtuple"})
_TYPED = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple"})


@dataclass(frozen=True, slots=True)
class NamedTupleInfo:
    """A named tuple of the repository that is made without a class statement."""

    module: Module
    qualname: str
    unit: Unit
    """The top-level statement that makes it."""
    fields: tuple[Field, ...]


def named_tuple(
    inference: Inference, name: ast.Name | ast.Attribute, scope: Scope
) -> NamedTupleInfo | None:
    """Return the named tuple that a name means in a scope, else `None`."""
    try:
        found = inference.definition(name, scope)
    except (SourceError, RecursionError):
        return None
    return None if found is None else named_tuple_of(inference, *found)


def named_tuple_of(
    inference: Inference, module: Module, name: str, unit: Unit
) -> NamedTupleInfo | None:
    """Return the named tuple that a statement of a module binds to a name, else `None`."""
    match unit.sole:
        case ast.Assign(targets=[ast.Name(id=bound)], value=value) if bound == name:
            fields = fields_of_call(inference, value, module_scope(module))
            return NamedTupleInfo(module, name, unit, fields) if fields else None
        case _:
            return None


def fields_of_call(inference: Inference, call: ast.expr, scope: Scope) -> tuple[Field, ...]:
    """Return the fields of the named tuple that an expression makes; empty if unknown."""
    match call:
        case ast.Call(func=func, args=[_, fields], keywords=keywords):
            pass
        case _:
            return ()
    maker = _outside(inference, func, scope)
    if maker & _TYPED:
        return tuple(_typed(fields))
    if not maker & _UNTYPED or any(keyword.arg == "rename" for keyword in keywords):
        return ()
    names = _names(fields)
    ends = next((_items(k.value) for k in keywords if k.arg == "defaults"), ())
    defaults = (*[None] * (len(names) - len(ends)), *ends)
    return tuple(Field(each, None, end) for each, end in zip(names, defaults, strict=False))


def _outside(inference: Inference, func: ast.expr, scope: Scope) -> frozenset[str]:
    try:
        found = inference.evaluate(func, scope)
    except (SourceError, RecursionError):
        return frozenset()
    return frozenset(value.name for value in found or () if isinstance(value, External))


def _names(node: ast.expr) -> tuple[str, ...]:
    """Return the field names of `"x y"`, `"x, y"` or `["x", "y"]`."""
    match node:
        case ast.Constant(value=str() as text):
            return tuple(text.replace(",", " ").split())
        case _:
            items = [each.value for each in _items(node) if isinstance(each, ast.Constant)]
            return tuple(each for each in items if isinstance(each, str))


def _typed(node: ast.expr) -> list[Field]:
    """Return the fields of `[("x", int), ("y", int)]`."""
    found: list[Field] = []
    for each in _items(node):
        match each:
            case ast.Tuple(elts=[ast.Constant(value=str() as name), annotation]):
                found.append(Field(name, annotation, None))
            case _:
                return []
    return found


def _items(node: ast.expr) -> tuple[ast.expr, ...]:
    return tuple(node.elts) if isinstance(node, ast.List | ast.Tuple) else ()
