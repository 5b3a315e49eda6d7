"""Functions that a target calls directly through known names, and transitively those that they
call.

Functions reached only through special methods or unknown receivers are not included.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..analysis.scopes.definitions import FunctionInfo, Scope, module_class, module_scope
from ..analysis.values.abstract_values import ClassValue, FunctionValue, ModuleValue, ordered
from ..repo.repository import Module
from ..repo.units import Unit
from ..syntax.memo import memo
from ..syntax.nodes import walk
from .mutation.mutations import Mutations

_CONSTRUCTORS = ("__new__", "__init__", "__post_init__")


def directly_called(changes: Mutations, goals: Iterable[tuple[Module, str]]) -> frozenset[ast.AST]:
    """Return the functions of the goals, and all that they call directly, transitively."""
    found: dict[ast.AST, FunctionInfo] = {}
    left = [each for module, name in goals for each in _functions_named(changes, module, name)]
    while left:
        function = left.pop()
        if function.node not in found:
            found[function.node] = function
            left += _called(changes, function)
    return frozenset(found)


def _functions_named(changes: Mutations, module: Module, name: str) -> Iterator[FunctionInfo]:
    for unit in module.bindings.get(name, ()):
        yield from _functions_of(changes, module, unit)


def _functions_of(changes: Mutations, module: Module, unit: Unit) -> Iterator[FunctionInfo]:
    for node in unit.nodes:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield FunctionInfo(module, node, module_scope(module), None)
            case ast.ClassDef() if unit.kind == "class":
                cls = module_class(module, unit, node)
                for name in changes.inference.member_names(cls):
                    yield from changes.inference.methods(cls, name)
            case _:
                continue


@memo
def _called(changes: Mutations, function: FunctionInfo) -> tuple[FunctionInfo, ...]:
    """Return the callees of calls in the function or in its nested functions."""
    scope = changes.inference.function_scope(function)
    found: dict[FunctionInfo, None] = {}
    for statement in function.node.body:
        for node in walk(statement):
            if isinstance(node, ast.Call):
                found.update(dict.fromkeys(_behind(changes, node.func, scope)))
    return tuple(found)


def _behind(changes: Mutations, func: ast.expr, scope: Scope) -> Iterator[FunctionInfo]:
    values = changes.inference.evaluate(func, scope)
    for value in ordered(values):
        match value:
            case FunctionValue(function=function):
                yield function
            case ClassValue(cls=cls):
                for name in _CONSTRUCTORS:
                    yield from changes.inference.methods(cls, name)
            case _:
                continue
    if values is None:
        match func:
            case ast.Name(id=name) if scope.lookup(name) is None:
                yield from changes.plain_functions(name, scope)
            case ast.Attribute(value=owner, attr=name):
                for value in ordered(changes.inference.evaluate(owner, scope)):
                    if isinstance(value, ModuleValue) and isinstance(value.module, Module):
                        yield from changes.plain_functions(name, module_scope(value.module))
            case _:
                return
