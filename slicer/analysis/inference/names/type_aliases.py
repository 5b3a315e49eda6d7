"""Types behind names: an alias (`TextType = Union[str, "Text"]`) or a type variable."""

from __future__ import annotations

import ast

from ....repo.repository import Module
from ....repo.units import Unit, is_typing_test
from ...names.name_resolution import Bound, FromStar, ImportedName, Names
from ...scopes.definitions import Scope, module_scope
from ...values.abstract_values import ModuleValue
from ..values_of_expressions import Evaluation


class TypeAliases:
    """Follows type names through assignments and imports."""

    def __init__(self, evaluation: Evaluation, names: Names) -> None:
        self._evaluation = evaluation
        self._names = names

    def find(self, node: ast.Name | ast.Attribute, scope: Scope) -> tuple[ast.expr, Scope] | None:
        """Return the expression behind the alias, with its scope; `None` if it is no alias."""
        found = self.definition(node, scope)
        if found is None:
            return None
        module, name, unit = found
        value = _aliased(unit, name)
        return None if value is None else (value, module_scope(module))

    def alias_target(
        self, node: ast.Name | ast.Attribute, scope: Scope
    ) -> tuple[ast.expr, Scope] | None:
        """Return the expression behind an alias, a type variable (its bound) or a `NewType`."""
        found = self.definition(node, scope)
        if found is None:
            return None
        module, name, unit = found
        value = _aliased(unit, name) or _bound_by(unit)
        return None if value is None else (value, module_scope(module))

    def definition(
        self, node: ast.Name | ast.Attribute, scope: Scope
    ) -> tuple[Module, str, Unit] | None:
        """Return the single statement that binds the name, with its module and name there."""
        match node:
            case ast.Name(id=name) if scope.lookup(name) is None:
                module, bound = scope.module, name
            case ast.Attribute(value=value, attr=bound):
                owners = [
                    v.module
                    for v in self._evaluation.evaluate(value, scope) or ()
                    if isinstance(v, ModuleValue) and isinstance(v.module, Module)
                ]
                if len(owners) != 1:
                    return None
                module = owners[0]
            case _:
                return None
        for _ in range(8):
            found = self._names.lookup(module, bound)
            if isinstance(found, FromStar) and len(found.local) == 1 and not found.external:
                module = found.local[0][2]
                continue
            if not isinstance(found, Bound) or len(found.units) != 1:
                return None
            unit = found.units[0]
            statement, alias = _import_of(unit, bound)
            if statement is None:
                return module, bound, unit
            target = alias and self._names.imported(module, statement, alias)
            if not isinstance(target, ImportedName) or target.module is module:
                return None
            module, bound = target.module, target.name
        return None


def _aliased(unit: Unit, name: str) -> ast.expr | None:
    """Return the type for which a statement defines an alias."""
    match unit.sole:
        case ast.Assign(value=ast.BinOp() | ast.Subscript() | ast.Constant() as value):
            return value
        case ast.AnnAssign(value=ast.expr() as value, annotation=annotation):
            is_alias = ast.unparse(annotation).rpartition(".")[2] == "TypeAlias"
            return value if is_alias else None
        case ast.If() as branch if is_typing_test(branch.test):
            return _typing_alias(branch, name)
        case _:
            value = getattr(unit.node, "value", None)
            is_alias = type(unit.node).__name__ == "TypeAlias"
            return value if is_alias and isinstance(value, ast.expr) else None


def bounds_of(unit: Unit) -> list[ast.expr]:
    """Return the bounds and constraints of a type variable; empty if the statement defines none."""
    match unit.sole:
        case ast.Assign(value=ast.Call(func=func, args=[_, *types], keywords=keywords)):
            is_variable = _last_name(func) == "TypeVar"
            return [*types, *(k.value for k in keywords if k.arg == "bound")] if is_variable else []
        case _:
            return []


def _bound_by(unit: Unit) -> ast.expr | None:
    """Return the first bound or the default of a type variable, or the base of a `NewType`."""
    found = bounds_of(unit)
    match unit.sole:
        case ast.Assign(value=ast.Call(func=func, args=[_, *types], keywords=keywords)):
            if _last_name(func) == "NewType":
                found = types
            elif _last_name(func) == "TypeVar":
                found += [k.value for k in keywords if k.arg == "default"]
        case _:
            pass
    return next(iter(found), None)


def _last_name(node: ast.expr) -> str:
    return getattr(node, "id", "") or getattr(node, "attr", "")


def _import_of(
    unit: Unit, name: str
) -> tuple[ast.ImportFrom, ast.alias | None] | tuple[None, None]:
    """Return the import that binds the name, also under `if TYPE_CHECKING:`."""
    match unit.sole:
        case ast.ImportFrom() as statement:
            alias = next((a for a in statement.names if (a.asname or a.name) == name), None)
            return statement, alias
        case ast.If() as branch if is_typing_test(branch.test):
            is_alias = _typing_alias(branch, name) is not None
            return (None, None) if is_alias else _typing_import(branch, name)
        case _:
            return None, None


def _typing_import(
    branch: ast.If, name: str
) -> tuple[ast.ImportFrom, ast.alias] | tuple[None, None]:
    for statement in branch.body:
        if isinstance(statement, ast.ImportFrom):
            for alias in statement.names:
                if (alias.asname or alias.name) == name:
                    return statement, alias
    return None, None


def _typing_alias(branch: ast.If, name: str) -> ast.expr | None:
    """Return the type that a statement under `if TYPE_CHECKING:` gives to the name."""
    for statement in branch.body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=bound), value=ast.expr() as value):
                if bound == name:
                    return value
            case ast.Assign(targets=[ast.Name(id=bound)], value=ast.BinOp() | ast.Subscript()):
                if bound == name:
                    return statement.value
            case _:
                continue
    return None
