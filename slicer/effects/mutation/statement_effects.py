"""Import-time effects: which module-level objects a top-level statement may change.

A statement that changes an object in the slice belongs to the slice (`TABLE.update(…)`,
`registry["x"] = f`, `@register`, a call of a function that fills a global).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from ...analysis.inference import Inference
from ...analysis.points_to.root_objects import Object, named_class
from ...analysis.scopes.definitions import (
    ClassInfo,
    FunctionInfo,
    Scope,
    module_class,
    module_scope,
)
from ...analysis.scopes.executed_nodes import nodes_run_at_definition
from ...analysis.values.abstract_values import ClassValue, Instance, ordered
from ...repo.repository import Module
from ...repo.units import Unit
from ...syntax.builtin_models import MUTATORS
from ...syntax.nodes import walk
from . import decorator_effects
from .mutations import Change, Mutations


class StatementEffects:
    """Effects of statements and functions of one repository, on demand."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self.changes = Mutations(inference)
        self._touched: dict[tuple[Module, int], tuple[Object, ...]] = {}
        self._changed_by: dict[tuple[Module, str], frozenset[Object]] = {}

    def resolve(self, module: Module, name: str) -> Object | None:
        """Return the module and name that bind a global name, with imports followed."""
        return self.changes.roots.resolve(module, name)

    def function_effects(self, function: FunctionInfo) -> tuple[tuple[Object, ...], frozenset[str]]:
        """Return the module-level objects and the parameters that a call may change."""
        summary = self.changes.of_function(function)
        return summary.objects, summary.changed

    def touched(self, module: Module, unit: Unit) -> tuple[Object, ...]:
        """Return the objects that the top-level statement may change, apart from bindings."""
        key = (module, unit.index)
        known = self._touched.get(key)
        if known is None:
            scope = module_scope(module)
            every = [change for node in unit.nodes for change in self._statement(node, scope, unit)]
            known = self._touched[key] = tuple(
                dict.fromkeys(change for change in every if isinstance(change, tuple))
            )
        return known

    def may_change(self, module: Module, made: str, name: str) -> bool:
        """Whether a function or class of the module may change the module's object of another name.

        For a class, instantiation, calls of class-level methods, and subclassing count.
        """
        key = (module, made)
        known = self._changed_by.get(key)
        if known is None:
            units = module.bindings.get(made, ())
            known = self._changed_by[key] = frozenset(
                item for unit in units for item in self._changed_when_called(module, unit)
            )
        return (module, name) in known

    def _changed_when_called(self, module: Module, unit: Unit) -> Iterator[Object]:
        for node in unit.nodes:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    function = FunctionInfo(module, node, module_scope(module), None)
                    scope = self.inference.function_scope(function)
                    yield from self.function_effects(function)[0]
                    yield from self.changes.roots.repeated_results(function)
                    for inner in node.body:
                        if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
                            applied = FunctionInfo(module, inner, scope, None)
                            yield from self.function_effects(applied)[0]
                case ast.ClassDef() if unit.kind == "class":
                    cls = module_class(module, unit, node)
                    yield from self._changed_by_class(cls)
                case _:
                    continue

    def _changed_by_class(self, cls: ClassInfo) -> Iterator[Object]:
        for name, units in cls.table.items():
            if name in _RUN_BY_CLASSES or any(_is_of_class(unit) for unit in units):
                for _, summary in self.changes.of_methods(cls, units):
                    yield from summary.objects
        hooks = "__init_subclass__" in cls.table or bool(self.inference.metaclass(cls))
        if hooks:
            yield (cls.module, cls.node.name)
            yield from self.class_creation(cls, inherited=False)

    # ------------------------------------------------------------------ statements

    def _statement(self, node: ast.stmt, scope: Scope, unit: Unit) -> Iterator[Change]:
        match node:
            case ast.Import() | ast.ImportFrom():
                return
            case ast.ClassDef() if unit.nodes == (node,):
                cls = module_class(scope.module, unit, node)
                yield from decorator_effects.applied(self.changes, node, scope)
                yield from self._body(
                    [each for each in node.bases if isinstance(each, ast.Subscript)],
                    scope, is_lenient=True,
                )  # fmt: skip
                # calls in a body describe the class: `id = db.Column()`
                yield from self._body(node.body, cls.scope, is_lenient=True)
                for item in node.body:
                    yield from self.set_name_mutations(item, cls.scope)
                yield from self.class_creation(cls)
            case _:
                # calls in a main loop run the program
                yield from self._body([node], scope, is_lenient=isinstance(node, ast.While))

    def _body(self, body: Sequence[ast.AST], scope: Scope, *, is_lenient: bool) -> Iterator[Change]:
        self.changes.is_lenient = is_lenient
        yield from self.changes.of_body(body, scope)
        self.changes.is_lenient = False

    def in_class_body(self, node: ast.stmt, scope: Scope) -> Iterator[Object]:
        """Yield what defaults, annotations and values in a statement of a class body change."""
        parts: list[ast.expr] = []
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                parts = list(nodes_run_at_definition(node, scope))
            case ast.Assign(value=value):
                parts = [value]
            case ast.AnnAssign(annotation=annotation, value=value):
                parts = [annotation, *([value] if value else ())]
            case _:
                return
        for change in self._body(parts, scope, is_lenient=True):
            if isinstance(change, tuple):
                yield change

    def set_name_mutations(self, node: ast.AST | None, scope: Scope) -> Iterator[Object]:
        """Yield what `__set_name__` changes if a statement of a class body creates an object."""
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Call):
            for value in ordered(self.inference.evaluate(node.value, scope)):
                if isinstance(value, Instance):
                    found = self.inference.find_member(value.cls, "__set_name__")
                    for args, summary in self.changes.of_methods(*found) if found else ():
                        yield from summary.objects
                        if scope.owner is not None and summary.changes_at(1, args):
                            yield from named_class(scope.owner)

    def class_creation(self, cls: ClassInfo, *, inherited: bool = True) -> Iterator[Object]:
        """Yield what creating the class changes; with its own hooks, creating a subclass."""
        hooks = [(owner, owner.table["__init_subclass__"])
                 for owner in self.inference.mro(cls)[1 if inherited else 0 :]
                 if "__init_subclass__" in owner.table]  # fmt: skip
        for value in ordered(self.inference.metaclass(cls)):
            if isinstance(value, ClassValue):
                for name in ("__new__", "__init__", "__call__"):
                    found = self.inference.find_member(value.cls, name)
                    if found is not None:
                        hooks.append(found)
        if self.inference.is_enum(cls):  # each member is created at once
            hooks += [
                (cls, cls.table[name]) for name in ("__new__", "__init__") if name in cls.table
            ]
        for owner, units in hooks:
            for _, summary in self.changes.of_methods(owner, units):
                yield from summary.objects
            if self._changes_class_state(owner, units):
                yield (owner.module, owner.unit.binds[0])

    def _changes_class_state(self, owner: ClassInfo, units: Iterable[Unit]) -> bool:
        """Whether a hook changes an object that classes share (`cls.registry[...] = cls`)."""
        for unit in units:
            for node in unit.nodes:
                for item in walk(node):
                    match item:
                        case ast.Call(func=ast.Attribute(value=ast.Attribute(), attr=attr)):
                            if attr in MUTATORS:
                                return True
                        case ast.Subscript(value=ast.Attribute(), ctx=ast.Store()):
                            return True
                        case _:
                            continue
        return False


_RUN_BY_CLASSES = frozenset(
    {
        "__class_getitem__",
        "__init__",
        "__new__",
        "__post_init__",
        "__set_name__",
        "__init_subclass__",
        "__call__",
    }
)
"""Methods that run when a class is called, indexed, derived from, or assigned in another class."""


def _is_of_class(unit: Unit) -> bool:
    """Whether a member is called on the class itself."""
    decorators = (d for node in unit.nodes for d in getattr(node, "decorator_list", ()))
    return any(getattr(d, "id", "") in ("staticmethod", "classmethod") for d in decorators)
