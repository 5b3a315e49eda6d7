"""Class members that take part in creating the class, and are kept with the class statement."""

from __future__ import annotations

import ast

from ...analysis.external.base_class_hooks import base_defines, shapes_subclasses
from ...analysis.inference import TRANSPARENT_DECORATORS, decorator_name
from ...analysis.points_to.root_objects import Object
from ...analysis.scopes.definitions import ClassInfo
from ...analysis.values.abstract_values import ClassValue, External, FunctionValue, Value, ordered
from ...repo.units import Unit
from ...syntax.builtin_models import CLASS_CREATION, OPERATIONS, PLAIN_DECORATORS
from ..repository_analysis import Analysis


class ClassStructure:
    """The class members that creating the class needs, in one slice."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._inference = analysis.inference
        self.registering: dict[tuple[ClassInfo, Unit], tuple[Object, ...]] = {}
        """Members whose definition changes objects, each with those objects."""

    def has_meaningful_assignments(self, cls: ClassInfo) -> bool:
        """Whether class-level assignments have a meaning of their own (fields, enum members)."""
        mro = self._inference.mro(cls)
        return (
            any(map(self._is_shaped, mro))
            or any(map(shapes_subclasses, self._inference.foreign_bases(cls)))
            or any("__init_subclass__" in a.table for a in mro[1:])
        )

    def _is_shaped(self, cls: ClassInfo) -> bool:
        """Whether a decorator, a keyword or a metaclass of the class may read its assignments.

        Those of the standard library that only look for abstract members do not.
        """
        given = [
            *(each.value for each in cls.node.keywords if each.arg == "metaclass"),
            *cls.node.decorator_list,
        ]
        return any(each.arg != "metaclass" for each in cls.node.keywords) or any(
            not values
            or not all(isinstance(v, External) and v.name in _LOOKING_AWAY for v in values)
            for values in (self._inference.evaluate(each, cls.enclosing) for each in given)
        )

    def is_structural(self, cls: ClassInfo, member: Unit, *, wide: bool) -> bool:
        """Whether the member takes part in creating the class."""
        match member.node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() as node:
                if len(member.nodes) > 1:
                    return True
                if node.name in CLASS_CREATION:
                    return True
                self._note_changes(member, cls)
                return self._registers(node, member, cls)
            case ast.ClassDef():
                return wide
            case ast.Assign() | ast.AnnAssign():
                if wide or not member.binds:
                    return True
                self._note_changes(member, cls)
                return any(
                    (n.startswith("__") and n.endswith("__") and n not in OPERATIONS)
                    or self._overrides(cls, n)
                    for n in member.binds
                )
            case ast.Expr(value=ast.Constant()):
                return False
            case ast.Pass():
                return False
            case _:
                return True

    def _note_changes(self, member: Unit, cls: ClassInfo) -> None:
        """Record the objects that the statement changes, by defaults, values or `__set_name__`."""
        effects = self._analysis.effects
        objects = (*effects.set_name_mutations(member.node, cls.scope),
                   *effects.in_class_body(member.node, cls.scope))  # fmt: skip
        if objects:
            self.registering[cls, member] = objects

    def may_be_marked(self, cls: ClassInfo, member: Unit) -> bool:
        """Whether a decorator of the member may set an attribute on it."""
        decorators = (d for node in member.nodes for d in getattr(node, "decorator_list", ()))
        for decorator in decorators:
            if decorator_name(decorator) in TRANSPARENT_DECORATORS:
                continue
            func = decorator.func if isinstance(decorator, ast.Call) else decorator
            values = self._inference.evaluate(func, cls.scope)
            if values is None or not all(
                isinstance(value, External) and value.name in PLAIN_DECORATORS for value in values
            ):
                return True
        return False

    def _overrides(self, cls: ClassInfo, name: str) -> bool:
        """Whether an external base may read the attribute, because it defines one of that name."""
        return any(base_defines(base, name) for base in self._inference.foreign_bases(cls))

    def _registers(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, member: Unit, cls: ClassInfo
    ) -> bool:
        """Whether a decorator of the member may register it where other code finds it."""
        for decorator in node.decorator_list:
            func = decorator.func if isinstance(decorator, ast.Call) else decorator
            if decorator_name(decorator) in TRANSPARENT_DECORATORS:
                continue
            values = self._inference.evaluate(func, cls.scope)
            if values is None:
                if not self._is_wrapping(func, cls):
                    return True
                continue
            for value in ordered(values):
                match value:
                    case External(name=name) if name in PLAIN_DECORATORS:
                        continue
                    case FunctionValue(function=function):
                        objects = self._analysis.effects.function_effects(function)[0]
                        if objects:
                            noted = self.registering.get((cls, member), ())
                            self.registering[cls, member] = (*noted, *objects)
                        if self._analysis.marks(function.node):
                            return True
                    case ClassValue():
                        continue
                    case _:
                        return True
        return False

    def _is_wrapping(self, func: ast.expr, cls: ClassInfo) -> bool:
        # a decorated local decorator: its value is unknown, but from the repository
        return (
            isinstance(func, ast.Name)
            and self._analysis.effects.resolve(cls.module, func.id) is not None
        )

    def leaves_alone(self, decorator: Value) -> bool:
        """Whether a class decorator neither stores the class nor accesses its members."""
        match decorator:
            case External(name=name):
                return name in PLAIN_DECORATORS
            case FunctionValue(function=function):
                return not self._analysis.effects.function_effects(function)[0]
            case _:
                return False


_LOOKING_AWAY = frozenset(
    {"abc.ABCMeta", "builtins.type", "functools.total_ordering", "typing.final",
     "typing_extensions.final", "typing.runtime_checkable", "typing_extensions.runtime_checkable"}
)  # fmt: skip
"""Code that receives classes during creation, and reads none of their assignments."""
