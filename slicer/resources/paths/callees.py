"""Functions that a call may run: repository functions, or external ones by dotted name."""

from __future__ import annotations

import ast

from ...analysis.inference import Inference
from ...analysis.names.name_resolution import Bound, FromStar, ImportedName
from ...analysis.scopes.definitions import Binder, Scope, unit_scope
from ...analysis.values.abstract_values import External, ModuleValue
from ...repo.repository import Module

_MOST_HOPS = 8
"""Maximum number of modules through which an imported function is followed."""


def receivers(inference: Inference, node: ast.expr, scope: Scope) -> frozenset[object] | None:
    """Return the values of a name or attribute; `None` if unknown."""
    if isinstance(node, (ast.Name, ast.Attribute)):
        return inference.evaluate(node, scope)
    return None


def external_names(inference: Inference, func: ast.expr, scope: Scope) -> tuple[str, ...]:
    """Return the dotted names of the external functions that an expression may be."""
    values = receivers(inference, func, scope) or ()
    return tuple(sorted(value.name for value in values if isinstance(value, External)))


def local_function(inference: Inference, func: ast.expr, scope: Scope) -> tuple[Module, str] | None:
    """Return the module-level function of the repository that an expression names."""
    match func:
        case ast.Name(id=name) if scope.lookup(name) is None:
            return _function_of(inference, scope.module, name)
        case ast.Attribute(value=ast.Name() | ast.Attribute() as value, attr=name):
            for found in inference.evaluate(value, scope) or ():
                if isinstance(found, ModuleValue) and isinstance(found.module, Module):
                    return _function_of(inference, found.module, name)
            return None
        case _:
            return None


def _function_of(inference: Inference, module: Module, name: str) -> tuple[Module, str] | None:
    for _ in range(_MOST_HOPS):
        match inference.names.lookup(module, name):
            case Bound(units=(unit,)) if unit.kind == "function":
                return (module, name)
            case Bound(units=(unit,)) if unit.kind == "import":
                binder = next(iter(unit_scope(module, unit).binders.get(name, [])), None)
                found = _import_source(inference, binder, name, module) if binder else None
                if found is None:
                    return None
                module, name = found
            case FromStar(local=[(_, _, source)]):
                module = source
            case _:
                return None
    return None


def _import_source(
    inference: Inference, binder: Binder, name: str, module: Module
) -> tuple[Module, str] | None:
    node = binder.node
    if not isinstance(node, ast.ImportFrom):
        return None
    for alias in node.names:
        if (alias.asname or alias.name) == name:
            match inference.names.imported(module, node, alias):
                case ImportedName(module=source, name=origin) if source is not module:
                    return source, origin
                case _:
                    return None
    return None
