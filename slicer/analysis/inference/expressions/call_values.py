"""Values that calls return: instances, function results, and special forms such as `super()`."""

from __future__ import annotations

import ast

from ...scopes.definitions import ClassInfo, Scope
from ...values.abstract_values import (
    ClassValue,
    External,
    ExternalInstance,
    FunctionValue,
    Instance,
    SuperValue,
    Values,
    join,
)
from ..function_texts import is_passed_by_position, returned_parameter
from ..hierarchy import Hierarchy
from ..names.annotation_values import Annotations
from ..names.module_name_values import ModuleNames
from ..value_sets import classes_of
from ..values_of_expressions import Evaluation, Evaluator
from .external_results import ExternalResults
from .member_values import Members
from .return_values import Returns

_CONTAINER_RESULTS = frozenset({"items", "keys", "values", "copy", "get", "pop", "setdefault"})


class Calls:
    """Evaluates calls."""

    def __init__(
        self,
        evaluation: Evaluation,
        hierarchy: Hierarchy,
        annotations: Annotations,
        module_names: ModuleNames,
        members: Members,
        returns: Returns,
        external_results: ExternalResults,
    ) -> None:
        self._evaluation = evaluation
        self._hierarchy = hierarchy
        self._annotations = annotations
        self._module_names = module_names
        self._members = members
        self._returns = returns
        self._external_results = external_results

    def evaluators(self) -> dict[type[object], Evaluator]:
        """Kind of expression → its evaluator."""
        return {
            ast.Call: self._call,
        }

    def _call(self, node: ast.Call, scope: Scope) -> Values:
        match node.func:
            case ast.Name(id="super") if not node.args:
                owner = _method_owner(scope)
                return frozenset({SuperValue(owner)}) if owner else None
            case ast.Name(id="super"):
                first = self._evaluation.evaluate(node.args[0], scope)
                owners = [v.cls for v in first or () if isinstance(v, ClassValue)]
                return frozenset({SuperValue(o) for o in owners}) if owners else None
            case ast.Name(id="type") if len(node.args) == 1:
                return classes_of(self._evaluation.evaluate(node.args[0], scope))
            case ast.Name(id="cast") | ast.Attribute(attr="cast") if len(node.args) == 2:
                return self._annotations.annotation(node.args[0], scope)
            case (
                ast.Attribute(attr="import_module" | "importorskip")
                | ast.Name(id="import_module" | "importorskip")
            ):
                match node.args:
                    case [ast.Constant(value=str(text))] if not text.startswith("."):
                        return self._module_names.module_named(text, scope.module)
                    case [ast.Name(id="__name__")]:
                        return self._module_names.module_named(scope.module.name, scope.module)
                    case _:
                        return None
            case ast.Name(id="getattr") if len(node.args) > 1:
                match node.args[1]:
                    case ast.Constant(value=str(attr)):
                        found = self._members.member(
                            self._evaluation.evaluate(node.args[0], scope), attr
                        )
                        rest = [self._evaluation.evaluate(a, scope) for a in node.args[2:]]
                        return join(found, *rest)
                    case _:
                        return None
            case ast.Attribute(value=receiver, attr=attr) if attr in _CONTAINER_RESULTS:
                found = self._external_results.of_container(
                    self._evaluation.evaluate(receiver, scope), attr, node, scope
                )
                if found is not None:
                    return found
            case _:
                pass
        return self.call_values(self._evaluation.evaluate(node.func, scope), node, scope)

    def call_values(self, values: Values, node: ast.Call | None, scope: Scope | None) -> Values:
        """Return the values of calling any of the values; without a node, without arguments."""
        values = self._evaluation.closed(values)
        if values is None:
            return None
        parts: list[Values] = []
        for value in values:
            match value:
                case ClassValue(cls=cls):
                    parts.append(frozenset({Instance(cls)}) if self._makes_own(cls) else None)
                case FunctionValue(function=function):
                    given = returned_parameter(function) if function.owner is None else None
                    if (
                        given is not None
                        and node
                        and scope
                        and is_passed_by_position(node.args, given)
                    ):
                        parts.append(self._evaluation.possible(node.args[given], scope))
                    else:
                        parts.append(self._returns.returned(function))
                case Instance():
                    parts.append(
                        self.call_values(
                            self._members.member(frozenset({value}), "__call__"), None, None
                        )
                    )
                case External(makes=ClassInfo() as cls):
                    parts.append(frozenset({Instance(cls)}))
                case External(name=name):
                    parts.append(self._external_results.called(name, node, scope))
                case ExternalInstance(name="typing.Callable", items=items):
                    parts.append(items)
                case _:
                    parts.append(None)
        return join(*parts)

    def call_member(self, values: Values, name: str) -> Values:
        """Return the values of calling the member without arguments."""
        return self.call_values(self._members.member(values, name), None, None)

    def _makes_own(self, cls: ClassInfo) -> bool:
        """Whether calling the class returns its instance, and no metaclass changes that."""
        meta = self._hierarchy.metaclass(cls)
        return meta is not None and not any(
            isinstance(m, ClassValue) and self._hierarchy.find_member(m.cls, "__call__")
            for m in meta
        )


def _method_owner(scope: Scope) -> ClassInfo | None:
    current: Scope | None = scope
    while current is not None:
        if current.owner is not None:
            return current.owner
        current = current.parent
    return None
