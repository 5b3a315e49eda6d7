"""Values of names inside functions, classes and comprehensions, narrowed by `isinstance` tests."""

from __future__ import annotations

import ast
from typing import cast

from ...scopes.definitions import Binder, ClassInfo, Scope
from ...scopes.isinstance_regions import narrowed_to
from ...values.abstract_values import (
    NOTHING,
    ClassValue,
    ExternalInstance,
    Instance,
    Parameter,
    Value,
    Values,
    is_abstract,
    join,
)
from ..external_types import SCALARS, is_closed
from ..hierarchy import Hierarchy
from ..value_sets import instances
from ..values_of_expressions import Evaluation, Evaluator
from .binders import Binders
from .module_name_values import ModuleNames


class LocalNames:
    """Values of local names: whatever any statement of the scope binds to the name."""

    def __init__(
        self,
        evaluation: Evaluation,
        hierarchy: Hierarchy,
        binders: Binders,
        module_names: ModuleNames,
    ) -> None:
        self._evaluation = evaluation
        self._hierarchy = hierarchy
        self._binders = binders
        self._module_names = module_names

    def evaluators(self) -> dict[type[object], Evaluator]:
        """Kind of expression → its evaluator."""
        return {
            ast.Name: self._name,
        }

    def _name(self, node: ast.Name, scope: Scope) -> Values:
        holder = scope.lookup(node.id)
        if holder is not None and holder is scope and _is_read_first(node, holder):
            holder = _scope_before_binding(holder, node.id)
        if holder is None:
            if node.id == "__class__" and (around := _enclosing_class(scope)) is not None:
                return frozenset({ClassValue(around)})
            return self._module_names.global_values(scope.module, node.id)
        values = self.local_values(holder, node.id)
        if (
            values is not None
            and len(values) == 1
            and not (is_abstract(values) or any(isinstance(v, Parameter) for v in values))
        ):
            return values
        classes = narrowed_to(holder, node)
        narrowed = self._isinstance_values(classes, holder) if classes is not None else None
        return values if narrowed is None else narrowed

    def _isinstance_values(self, classes: ast.expr, scope: Scope) -> Values:
        """Return the instances of the classes in an `isinstance` test, if all classes are known."""
        elements = classes.elts if isinstance(classes, ast.Tuple) else [classes]
        found: set[Value] = set()
        for value in (
            instances(join(*(self._evaluation.evaluate(e, scope) for e in elements))) or ()
        ):
            match value:
                case Instance(cls=cls) if self._hierarchy.accepts_non_subclasses(cls):
                    return None
                case ExternalInstance(name=name) if name not in SCALARS and not is_closed(name):
                    return None  # a repository class may derive from it
                case _:
                    found.add(value)
        return frozenset(found) or None

    def local_values(self, scope: Scope, name: str) -> Values:
        """Return the values of a name bound in a function, class or comprehension scope."""
        return self._evaluation.solve(
            ("local", scope, name), lambda: self._local_values(scope, name)
        )

    def _local_values(self, scope: Scope, name: str) -> Values:
        values = NOTHING
        binders = scope.binders[name]
        declared = [b for b in binders if b.kind == "annotated"]
        for binder in declared or binders:
            if binder.kind == "import":
                node = cast("ast.Import | ast.ImportFrom", binder.node)
                found = self._module_names.import_values(node, scope.module, name)
            else:
                found = self._binders.values(binder, scope)
            if found is None:
                return None
            values = values | found
        return values


def _enclosing_class(scope: Scope) -> ClassInfo | None:
    """Return the class whose body contains the function, which `__class__` denotes in it."""
    outer = scope.parent
    while outer is not None:
        if outer.is_class and outer.owner is not None:
            return outer.owner
        outer = outer.parent
    return None


def _is_read_first(node: ast.Name, scope: Scope) -> bool:
    """Whether a class body reads the outer name before it binds its own: `query = query.Number`."""
    return scope.is_class and not any(_is_before(b, node) for b in scope.binders[node.id])


def _is_before(binder: Binder, node: ast.Name) -> bool:
    return _start(binder.node) < _start(node) and not any(
        part is not None and _start(part) <= _start(node) < _end(part)
        for part in (binder.node, binder.value)
    )


def _start(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _end(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)


def _scope_before_binding(scope: Scope, name: str) -> Scope | None:
    """Return the scope in which the name is found before the class binds it."""
    outer = scope.parent
    while outer is not None and outer.is_class:
        outer = outer.parent
    return outer.lookup(name) if outer is not None else None
