"""Values of subscripts: container items, and modules looked up in `sys.modules`."""

from __future__ import annotations

import ast

from ...scopes.definitions import Scope
from ...values.abstract_values import (
    ClassValue,
    External,
    ExternalInstance,
    Instance,
    ModuleValue,
    TupleOf,
    Values,
    join,
)
from ..external_types import is_closed
from ..names.module_name_values import ModuleNames
from ..values_of_expressions import Evaluation, Evaluator
from .call_values import Calls


class Subscripts:
    """Evaluates subscripts."""

    def __init__(self, evaluation: Evaluation, module_names: ModuleNames, calls: Calls) -> None:
        self._evaluation = evaluation
        self._module_names = module_names
        self._calls = calls

    def evaluators(self) -> dict[type[object], Evaluator]:
        """Kind of expression → its evaluator."""
        return {
            ast.Subscript: self._subscript,
        }

    def _subscript(self, node: ast.Subscript, scope: Scope) -> Values:
        values = self._evaluation.evaluate(node.value, scope)
        if values is None:
            return None
        parts: list[Values] = []
        for value in values:
            match value, node.slice:
                case ExternalInstance(name="builtins.str" | "builtins.bytes"), _:
                    parts.append(frozenset({value}))
                case TupleOf(parts=items), ast.Constant(value=int(index)) if (
                    -len(items) <= index < len(items)
                ):
                    parts.append(items[index])
                case ExternalInstance(name="builtins.list" | "builtins.tuple"), ast.Slice():
                    parts.append(frozenset({value}))
                case ExternalInstance(name="builtins.list" | "builtins.tuple", items=items), _:
                    parts.append(items)
                case ExternalInstance(name="builtins.dict", contents=contents), _:
                    parts.append(contents)
                case Instance(), _:
                    parts.append(self._calls.call_member(frozenset({value}), "__getitem__"))
                case ClassValue(), _:
                    parts.append(frozenset({value}))
                case External(name="sys.modules"), ast.Name(id="__name__"):
                    parts.append(frozenset({ModuleValue(scope.module, scope.module)}))
                case External(name="sys.modules"), ast.Constant(value=str(text)):
                    parts.append(self._module_names.module_named(text, scope.module))
                case ExternalInstance(name=name), _ if is_closed(name):
                    parts.append(frozenset({ExternalInstance(name)}))
                case _:
                    return None
        return join(*parts)
