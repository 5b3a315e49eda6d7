"""Indirect access to module names: `globals()[key]`, `vars(module)`, `setattr(module, key, x)`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...repo.repository import Module
from ..inference import Inference
from ..scopes.definitions import Scope
from ..values.abstract_values import ModuleValue, Values, ordered
from .root_objects import Object


def namespaces(node: ast.expr, scope: Scope, inference: Inference) -> list[Module]:
    """Return the modules whose namespace `globals()`, `vars(module)` or `module.__dict__` is."""
    match node:
        case ast.Call(func=ast.Name(id="globals" | "vars" | "locals"), args=[]):
            return [scope.module]
        case ast.Call(func=ast.Name(id="vars"), args=[owner]):
            return modules_in(inference.evaluate(owner, scope))
        case ast.Attribute(value=owner, attr="__dict__"):
            return modules_in(inference.evaluate(owner, scope))
        case _:
            return []


def modules_in(values: Values) -> list[Module]:
    """Return the modules of the repository among some values."""
    found = [value.module for value in ordered(values) if isinstance(value, ModuleValue)]
    return [module for module in found if isinstance(module, Module)]


def filled(modules: Iterable[Module], key: ast.expr | None) -> Iterator[Object]:
    """Yield the objects behind an item of a module's namespace; all, for a computed key."""
    for module in modules:
        if isinstance(key, ast.Constant):
            yield (module, str(key.value))
            continue
        for unit in module.units:
            if unit.kind == "variable":
                yield from ((module, name) for name in unit.binds)
