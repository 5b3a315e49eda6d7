"""Values that one binding gives to its name: a parameter, an assignment, a loop, a definition."""

from __future__ import annotations

import ast
from typing import cast

from ....repo.repository import Module
from ....repo.units import Unit
from ...scopes.definitions import Binder, FunctionInfo, Scope, nested_class
from ...values.abstract_values import (
    STR,
    ClassValue,
    ExternalInstance,
    FunctionValue,
    Instance,
    Parameter,
    Values,
    builtin,
    is_abstract,
    join,
)
from ..function_texts import TRANSPARENT_DECORATORS, decorator_name, returned_parameter
from ..hierarchy import Hierarchy
from ..iteration import Iteration
from ..value_sets import as_declared, instances, is_callable, shallow
from ..values_of_expressions import Evaluation
from .annotation_values import Annotations

_Def = ast.FunctionDef | ast.AsyncFunctionDef


_MOST_SHOWN = 32
"""Maximum number of display items that are evaluated; a longer display counts as unknown."""


class Binders:
    """Values of binders of all kinds except imports."""

    def __init__(
        self,
        evaluation: Evaluation,
        hierarchy: Hierarchy,
        annotations: Annotations,
        iteration: Iteration,
    ) -> None:
        self._evaluation = evaluation
        self._hierarchy = hierarchy
        self._annotations = annotations
        self._iteration = iteration

    def values(self, binder: Binder, scope: Scope) -> Values:
        """Return the values that the binder gives to its name, evaluated in the scope."""
        match binder.kind:
            case "parameter":
                return self._parameter(cast("ast.arg", binder.node), scope)
            case "rest" | "keywords":
                annotation = cast("ast.arg", binder.node).annotation
                annotated = shallow(self._annotations.annotation(annotation, scope.parent or scope))
                if binder.kind == "rest":
                    return builtin("tuple", annotated)
                return builtin("dict", STR, annotated)
            case "value":
                return self._iteration.unpacked(
                    self._evaluation.possible(binder.value, scope), binder.path, binder.value, scope
                )
            case "item":
                return self._iteration.unpacked(
                    self._items(binder.value, scope), binder.path, None, scope
                )
            case "enter":
                return self._iteration.entered(self._evaluation.evaluate(binder.value, scope))
            case "annotated":
                value = getattr(binder.node, "value", None)
                if value is not None and _is_bare_final(binder.value):
                    return self._evaluation.evaluate(value, scope)
                return self._annotations.annotation(binder.value, scope)
            case "function":
                return self.function_value(cast("_Def", binder.node), scope)
            case "class":
                node = cast("ast.ClassDef", binder.node)
                unit = _unit_of(scope.module, node)
                return frozenset({ClassValue(nested_class(scope, unit, node))})
            case "exception":
                return self._exception(binder.value, scope)
            case "group":  # `except*` yields a group, made by the group's `derive`
                return as_declared(frozenset({ExternalInstance("builtins.BaseExceptionGroup")}))
            case _:
                return None

    def _items(self, node: ast.expr | None, scope: Scope) -> Values:
        """Return the values that a loop over an expression yields; for a display, of its items."""
        match node:
            case ast.List(elts=[_, *_] as items) | ast.Set(elts=[_, *_] as items) if (
                not any(isinstance(each, ast.Starred) for each in items[: _MOST_SHOWN + 1])
                and len(items) <= _MOST_SHOWN
            ):
                return join(*(self._evaluation.evaluate(each, scope) for each in items))
            case _:
                return self._iteration.items(self._evaluation.evaluate(node, scope))

    def _parameter(self, arg: ast.arg, scope: Scope) -> Values:
        node = scope.node
        owner = scope.owner
        if owner is not None and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            args = node.args.posonlyargs + node.args.args
            if args and args[0] is arg:
                kinds = {decorator_name(d) for d in node.decorator_list}
                if "staticmethod" not in kinds:
                    is_class = "classmethod" in kinds or node.name in (
                        "__new__", "__init_subclass__", "__class_getitem__"
                    )  # fmt: skip
                    if not is_class and self._hierarchy.is_metaclass(owner):
                        return None
                    return frozenset({ClassValue(owner) if is_class else Instance(owner)})
        values = self._annotations.annotation(arg.annotation, scope.parent or scope)
        if isinstance(node, ast.Lambda) or not (
            values is None or is_abstract(values) or is_callable(values)
        ):
            return values
        return frozenset({Parameter(scope, arg.arg)})

    def _exception(self, node: ast.expr | None, scope: Scope) -> Values:
        if node is None:
            return None
        elements = node.elts if isinstance(node, ast.Tuple) else [node]
        # the caught exception may be of a subclass
        return as_declared(
            instances(join(*(self._evaluation.evaluate(e, scope) for e in elements)))
        )

    def function_value(self, node: _Def, scope: Scope) -> Values:
        """Return the value that a `def` statement binds, with its decorators applied."""
        owner = scope.owner if scope.is_class else None
        function = FunctionInfo(scope.module, node, scope, owner)
        for decorator in node.decorator_list:
            name = decorator_name(decorator)
            if name not in TRANSPARENT_DECORATORS and not self._returns_argument(decorator, scope):
                return None
        return frozenset({FunctionValue(function)})

    def _returns_argument(self, decorator: ast.expr, scope: Scope) -> bool:
        """Whether the decorator returns the function itself."""
        values = self._evaluation.evaluate(decorator, scope)
        return bool(values) and all(
            isinstance(v, FunctionValue) and returned_parameter(v.function) == 0 for v in values
        )


def _unit_of(module: Module, node: ast.stmt) -> Unit:
    for unit in module.units:
        if unit.first <= node.lineno <= unit.last:
            return unit
    return module.units[0]


def _is_bare_final(node: ast.expr | None) -> bool:
    """Whether an annotation leaves the type to the assigned value (`Final`, `ClassVar`)."""
    return isinstance(node, (ast.Name, ast.Attribute)) and (
        ast.unparse(node).rpartition(".")[2] in ("Final", "ClassVar")
    )
