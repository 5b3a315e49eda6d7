"""Values of attributes of modules, classes, instances and external objects."""

from __future__ import annotations

import ast
from typing import cast

from ....repo.repository import STDLIB
from ....syntax.builtin_models import CONTAINERS
from ...external.base_class_hooks import base_defines
from ...scopes.definitions import ClassInfo, FunctionInfo, Scope
from ...values.abstract_values import (
    ABSTRACT,
    NOTHING,
    STR,
    ClassValue,
    External,
    ExternalInstance,
    FunctionValue,
    Instance,
    ModuleValue,
    Parameter,
    SuperValue,
    TupleOf,
    Value,
    Values,
    builtin,
    join,
    ordered,
)
from ..function_texts import is_property
from ..hierarchy import Hierarchy
from ..names.annotation_values import Annotations
from ..names.binders import Binders
from ..names.module_name_values import ModuleNames
from ..values_of_expressions import Evaluation, Evaluator
from .return_values import Returns

_PLAIN_METHODS = frozenset(
    "append extend insert remove clear sort reverse add discard update keys values items index "
    "count copy difference union intersection issubset issuperset".split()
)


_OF_EXCEPTIONS = frozenset({"__cause__", "__context__", "exceptions"})
"""Attributes of exceptions that hold other exceptions, of any class."""


_STANDARD = STDLIB | {"contextmanager"}
"""First parts of the names of objects that do not come from a distribution."""


class Members:
    """Attribute lookup as Python does it: on the instance, then along the resolution order."""

    def __init__(
        self,
        evaluation: Evaluation,
        hierarchy: Hierarchy,
        annotations: Annotations,
        binders: Binders,
        module_names: ModuleNames,
        returns: Returns,
    ) -> None:
        self._evaluation = evaluation
        self._hierarchy = hierarchy
        self._annotations = annotations
        self._binders = binders
        self._module_names = module_names
        self._returns = returns

    def evaluators(self) -> dict[type[object], Evaluator]:
        """Kind of expression → its evaluator."""
        return {
            ast.Attribute: self._attribute,
        }

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Values:
        if node.attr == "__dict__":
            return builtin("dict", STR)
        return self.member(self._evaluation.evaluate(node.value, scope), node.attr)

    def member(self, values: Values, name: str) -> Values:
        """Return the values of an attribute of the values."""
        values = self._evaluation.closed(values)
        if values is None:
            return None
        parts: list[Values] = []
        for value in values:
            # of several classes, some test excludes those without the attribute
            if (
                len(values) > 1
                and isinstance(value, Instance)
                and self._hierarchy.lacks_attribute(value.cls, name)
            ):
                continue
            found = self._member_of(value, name)
            if found is None:
                return None
            parts.append(found)
        return join(*parts) if parts else None

    def _member_of(self, value: Value, name: str) -> Values:  # noqa: C901 - a case for each kind of value
        match value:
            case ModuleValue(module=module, importer=importer):
                return self._module_names.module_member(module, importer, name)
            case ClassValue(cls=cls):
                if name in ("__name__", "__qualname__", "__module__", "__doc__"):
                    return STR
                return self.class_member(cls, name, bound=False)
            case Instance(cls=cls):
                if name == "__class__":
                    return frozenset({ClassValue(cls)})
                return self.instance_member(cls, name)
            case SuperValue(cls=cls):
                for ancestor in self._hierarchy.mro(cls)[1:]:
                    if name in ancestor.table:
                        return self._class_table(ancestor, name, bound=True)
                maker = self._hierarchy.constructor(cls, name)
                if maker is not None:
                    return frozenset({External(f"{maker}.{name}", cls)})
                base = next(iter(self._hierarchy.external_bases(cls)), "builtins.object")
                return None if base == "?" else frozenset({External(f"{base}.{name}")})
            case FunctionValue():
                return None
            case External(name=base):
                return frozenset({External(f"{base}.{name}")})
            case ExternalInstance(name=base) if (
                base.startswith(ABSTRACT) or base == "typing.Callable"
            ):
                return None
            case ExternalInstance(name=base, is_declared=True) if (
                name in _OF_EXCEPTIONS or not base_defines(base, name)
            ):
                return None
            case ExternalInstance(name=base):
                if base in CONTAINERS or base == "contextmanager":
                    return (
                        frozenset({External(f"{base}.{name}")}) if name in _PLAIN_METHODS else None
                    )
                return frozenset({External(f"{base}().{name}")})
            case TupleOf() | Parameter():
                return None

    def class_member(self, cls: ClassInfo, name: str, *, bound: bool) -> Values:
        """Return the values of a class attribute, looked up along the resolution order."""
        found = self._hierarchy.find_member(cls, name)
        if found is not None:
            if _is_none(found[0], name):  # a placeholder for a later store
                return self._assigned(cls, name)
            return self._class_table(found[0], name, bound=bound)
        maker = self._hierarchy.constructor(cls, name)
        if maker is not None:
            return frozenset({External(f"{maker}.{name}", cls)})
        metas = [
            v.cls for v in ordered(self._hierarchy.metaclass(cls)) if isinstance(v, ClassValue)
        ]
        return join(*(self.instance_member(meta, name) for meta in metas)) if metas else None

    def _class_table(self, cls: ClassInfo, name: str, *, bound: bool) -> Values:
        key = ("class", cls, name, bound)
        return self._evaluation.solve(key, lambda: self._class_values(cls, name, bound=bound))

    def _class_values(self, cls: ClassInfo, name: str, *, bound: bool) -> Values:
        parts: list[Values] = []
        for binder in cls.scope.binders.get(name, ()):
            if binder.kind == "function" and bound and is_property(binder.node):
                node = cast("ast.FunctionDef | ast.AsyncFunctionDef", binder.node)
                parts.append(self._returns.returned(FunctionInfo(cls.module, node, cls.scope, cls)))
            elif binder.kind == "import":
                statement = cast("ast.Import | ast.ImportFrom", binder.node)
                parts.append(self._module_names.import_values(statement, cls.module, name))
            else:
                values = self._binders.values(binder, cls.scope)
                if binder.kind == "value" and values is not None and self._is_member(cls, name):
                    values = frozenset(_member_of_enum(cls, value) for value in values or {None})
                parts.append(values)
        return self._descriptor_results(join(*parts), bound=bound) if parts else None

    def _descriptor_results(self, values: Values, *, bound: bool) -> Values:
        """Return what reading class attributes gives: for descriptors, the result of `__get__`.

        An object of another distribution may be a descriptor, or a placeholder for values of
        instances.
        """
        if values is None or (bound and any(map(_is_distributed, values))):
            return None
        parts: list[Values] = []
        for value in values:
            getters = (
                self._hierarchy.methods(value.cls, "__get__") if isinstance(value, Instance) else []
            )
            parts += map(self._returns.returned, getters) if getters else [frozenset({value})]
        return join(*parts)

    def _is_member(self, cls: ClassInfo, name: str) -> bool:
        """Whether a value that the class body assigns to the name becomes an enumeration member."""
        return self._hierarchy.is_enum(cls) and not name.startswith("_")

    def instance_member(self, cls: ClassInfo, name: str) -> Values:
        """Return the values of an instance attribute, assigned in methods or found on the class."""
        key = ("instance", cls, name)
        return self._evaluation.solve(key, lambda: self._instance_member(cls, name))

    def _instance_member(self, cls: ClassInfo, name: str) -> Values:
        found = self._hierarchy.find_member(cls, name)
        if found is not None and any(isinstance(u.node, ast.AnnAssign) for u in found[1]):
            return self._class_table(found[0], name, bound=True)
        if found is None or _is_none(found[0], name):
            return self._assigned(cls, name)
        return join(
            self._class_table(found[0], name, bound=True), self._assigned(cls, name, NOTHING)
        )

    def _assigned(self, cls: ClassInfo, name: str, otherwise: Values = None) -> Values:
        """Return the values that methods of the class assign to the attribute of their first
        parameter.

        Return `otherwise` if no method assigns it, or only `None`: then other code fills it.
        """
        parts: list[Values] = []
        is_filled = False
        for ancestor in self._hierarchy.mro(cls):
            assigned = ancestor.self_assignments.get(name, [])
            declared = [item for item in assigned if isinstance(item[0], ast.AnnAssign)]
            for node, scope in declared or assigned:
                is_filled = is_filled or not _is_constant_none(node)
                match node:
                    case ast.AnnAssign(annotation=annotation):
                        parts.append(self._annotations.annotation(annotation, scope))
                    case ast.AugAssign() | ast.Pass():
                        parts.append(None)
                    case _:
                        parts.append(self._evaluation.evaluate(node, scope))
        return join(*parts) if is_filled else otherwise


def _member_of_enum(cls: ClassInfo, value: Value | None) -> Value:
    """Return what a value in the body of an enumeration becomes; functions and classes stay."""
    return value if isinstance(value, (FunctionValue, ClassValue)) else Instance(cls)


def _is_distributed(value: Value) -> bool:
    """Whether the object was made by a distribution: `relationship("User")`, `attr.ib()`."""
    match value:
        case ExternalInstance(name=name, is_declared=False):
            return name.partition(".")[0] not in _STANDARD
        case _:
            return False


def _is_none(cls: ClassInfo, name: str) -> bool:
    """Whether the class body gives the name no value except `None`."""
    binders = cls.scope.binders.get(name, ())
    return all(b.kind == "value" and _is_constant_none(b.value) for b in binders)


def _is_constant_none(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
