"""Type aliases: the expression behind a name such as `TextType = Union[str, "Text"]`."""

from __future__ import annotations

import ast

from ..definitions import Scope, module_scope
from ..names import Bound, ImportedName, Names
from ..repository import Module
from ..units import is_typing_test
from ..values import ModuleValue
from .evaluation import Evaluation


class TypeAliases:
    """Follows names of types through assignments and imports."""

    def __init__(self, evaluation: Evaluation, names: Names) -> None:
        self._evaluation = evaluation
        self._names = names

    def find(self, node: ast.Name | ast.Attribute, scope: Scope) -> tuple[ast.expr, Scope] | None:
        """The expression that the name stands for, and its scope; `None` where it is no alias."""
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
            if not isinstance(found, Bound) or len(found.units) != 1:
                return None
            unit = found.units[0]
            match unit.nodes:
                case (ast.Assign(value=ast.BinOp() | ast.Subscript() | ast.Constant() as value),):
                    return value, module_scope(module)
                case (ast.AnnAssign(value=ast.expr() as value, annotation=annotation),):
                    if ast.unparse(annotation).rpartition(".")[2] == "TypeAlias":
                        return value, module_scope(module)
                    return None
                case (ast.ImportFrom() as statement,):
                    alias = next(
                        (a for a in statement.names if (a.asname or a.name) == bound), None
                    )
                    target = alias and self._names.imported(module, statement, alias)
                    if not isinstance(target, ImportedName) or target.module is module:
                        return None
                    module, bound = target.module, target.name
                case (ast.If() as branch,) if is_typing_test(branch.test):
                    spelled = _typing_alias(branch, bound)
                    if spelled is not None:
                        return spelled, module_scope(module)
                    statement, alias = _typing_import(branch, bound)
                    target = (
                        self._names.imported(module, statement, alias)
                        if statement and alias
                        else None
                    )
                    if not isinstance(target, ImportedName):
                        return None
                    module, bound = target.module, target.name
                case _:
                    value = getattr(unit.node, "value", None)
                    if type(unit.node).__name__ == "TypeAlias" and isinstance(value, ast.expr):
                        return value, module_scope(module)
                    return None
        return None


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
    """The type that a statement below `if TYPE_CHECKING:` gives the name."""
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
