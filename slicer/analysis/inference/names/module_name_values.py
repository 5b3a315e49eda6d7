"""Values of module-level names, through imports and star imports, and of builtins."""

from __future__ import annotations

import ast
from typing import cast

from ....repo.repository import Module, Namespace
from ....repo.units import Unit
from ....syntax.memo import memo
from ....syntax.scopes import global_writers
from ...names.name_resolution import (
    Bound,
    Builtin,
    FromStar,
    ImportedExternal,
    ImportedModule,
    ImportedName,
    Names,
)
from ...scopes.definitions import (
    Binder,
    Scope,
    module_class,
    module_scope,
    nested_class,
    unit_scope,
)
from ...values.abstract_values import NOTHING, ClassValue, External, ModuleValue, Values, join
from ..values_of_expressions import Evaluation
from .binders import Binders

_Def = ast.FunctionDef | ast.AsyncFunctionDef


class ModuleNames:
    """Values of module-level names."""

    def __init__(self, names: Names, evaluation: Evaluation, binders: Binders) -> None:
        self._names = names
        self._repository = names.repository
        self._evaluation = evaluation
        self._binders = binders

    def global_values(self, module: Module, name: str) -> Values:
        """Return the values of a module-level name or builtin."""
        key = ("global", module.path, module.name, name)
        return self._evaluation.solve(key, lambda: self._global_values(module, name))

    def _global_values(self, module: Module, name: str) -> Values:
        match self._names.lookup(module, name):
            case Bound(units=units):
                if name in module_global_writers(module):
                    return None
                return join(*(self._unit_values(module, unit, name) for unit in units))
            case FromStar(local=local) if local:
                taken = [self.global_values(source, name) for _, _, source in local]
                own = module.bindings.get(name, ())  # a rebound name, with its old value
                return join(*taken, *(self._unit_values(module, unit, name) for unit in own))
            case Builtin():
                return frozenset({External(f"builtins.{name}")})
            case _:
                return None

    def _unit_values(self, module: Module, unit: Unit, name: str) -> Values:
        match unit.nodes:
            case (ast.ClassDef() as node,):
                return frozenset({ClassValue(module_class(module, unit, node))})
            case (ast.FunctionDef() | ast.AsyncFunctionDef() as node,):
                return self._binders.function_value(node, module_scope(module))
            case (ast.Import() | ast.ImportFrom() as node,):
                return self.import_values(node, module, name)
            case _:
                scope = unit_scope(module, unit)
                binders = scope.binders.get(name, [])
                return join(*(self._unit_binder(module, unit, scope, b, name) for b in binders))

    def _unit_binder(
        self, module: Module, unit: Unit, scope: Scope, binder: Binder, name: str
    ) -> Values:
        match binder.kind:
            case "class":
                node = cast("ast.ClassDef", binder.node)
                return frozenset({ClassValue(nested_class(module_scope(module), unit, node))})
            case "function":
                return self._binders.function_value(cast("_Def", binder.node), module_scope(module))
            case "import":
                return self.import_values(
                    cast("ast.Import | ast.ImportFrom", binder.node), module, name
                )
            case _:
                # names are looked up in the module, not among this unit's own binders
                return self._binders.values(binder, module_scope(module))

    def import_values(self, node: ast.Import | ast.ImportFrom, module: Module, name: str) -> Values:
        """Return the values that the import statement gives to the name."""
        parts: list[Values] = []
        for alias in node.names:
            if (alias.asname or alias.name) == name:
                parts.append(self._alias_values(node, module, alias))
            elif (
                isinstance(node, ast.Import)
                and not alias.asname
                and alias.name.split(".")[0] == name
            ):
                top = ast.alias(name)
                parts.append(self._alias_values(node, module, top))
        return join(*parts) if parts else None

    def _alias_values(
        self, node: ast.Import | ast.ImportFrom, module: Module, alias: ast.alias
    ) -> Values:
        match self._names.imported(module, node, alias):
            case ImportedModule(module=found):
                return frozenset({ModuleValue(found, module)})
            case ImportedName(module=source, name=name):
                if source is module and not _runs_later(module, node):  # its value so far
                    others = [u for u in module.bindings.get(name, ()) if node not in u.nodes]
                    return NOTHING if others else None
                return self.global_values(source, name)
            case ImportedExternal(name=name):
                return frozenset({External(name)})
            case _:
                return None

    def module_member(self, module: Module | Namespace, importer: Module, name: str) -> Values:
        """Return the values of a module's attribute."""
        bound = None
        if isinstance(module, Module) and self._names.defines(module, name):
            bound = self.global_values(module, name)
            if module is not importer:
                return bound
        found = self._repository.submodule(module.name, name, importer)
        if found is None:
            return bound
        # in a package that imports itself, the name may be either
        return join(frozenset({ModuleValue(found, importer)}), bound or NOTHING)

    def module_named(self, name: str, importer: Module) -> Values:
        """Return the module of the repository with that absolute name, or an external one."""
        found = self._repository.find_module(name, importer)
        return frozenset({ModuleValue(found, importer) if found else External(name)})


def _runs_later(module: Module, node: ast.Import | ast.ImportFrom) -> bool:
    """Whether the import is in a function or method, and so does not run on load."""
    return any(
        unit.kind in ("function", "class") and unit.first <= node.lineno <= unit.last
        for unit in module.units
    )


@memo
def module_global_writers(module: Module) -> dict[str, list[_Def]]:
    """Return name → the functions that declare it `global`, and so may rebind it."""
    return global_writers(module.source.tree) if "global " in module.source.text else {}
