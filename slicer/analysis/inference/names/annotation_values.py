"""Values that a variable may hold according to its annotation."""

from __future__ import annotations

import ast
from typing import cast

from ...scopes.definitions import FunctionInfo, Scope
from ...values.abstract_values import (
    ABSTRACT,
    NOTHING,
    ClassValue,
    External,
    ExternalInstance,
    Instance,
    Parameter,
    TupleOf,
    Value,
    Values,
    builtin,
    join,
)
from ..hierarchy import Hierarchy
from ..value_sets import as_declared, classes_of, shallow
from ..values_of_expressions import Evaluation
from .type_aliases import TypeAliases

_WRAPPERS = frozenset(
    {"typing.Optional", "typing.Annotated", "typing.ClassVar", "typing.Final", "typing.Required",
     "typing.NotRequired", "typing_extensions.Annotated", "dataclasses.InitVar",
     "typing.Awaitable", "typing.Coroutine", "collections.abc.Awaitable"}
)  # fmt: skip
_SEQUENCES = frozenset(
    "List Sequence Iterable Iterator Set FrozenSet AbstractSet MutableSequence Collection Deque "
    "Generator AsyncIterator AsyncIterable AsyncGenerator MutableSet Reversible".split()
)
_MAPPINGS = frozenset("Dict Mapping MutableMapping DefaultDict OrderedDict".split())
_ABSTRACT_GENERICS = frozenset(
    "Sequence Iterable Iterator AbstractSet MutableSequence Collection Generator AsyncIterator "
    "AsyncIterable AsyncGenerator MutableSet Reversible Mapping MutableMapping".split()
)
_PLAIN_TYPES = frozenset(
    {"Pattern", "Match", "NoReturn", "Never", "LiteralString",
     "Hashable", "Sized", "SupportsInt", "SupportsFloat"}
)  # fmt: skip
_OPAQUE_ANNOTATIONS = frozenset(
    {"builtins.object", "builtins.type", "types.ModuleType", "builtins.list", "builtins.tuple",
     "builtins.dict", "builtins.set"}
)  # fmt: skip


class Annotations:
    """Evaluates annotations, including strings and aliases."""

    def __init__(self, evaluation: Evaluation, hierarchy: Hierarchy, aliases: TypeAliases) -> None:
        self._evaluation = evaluation
        self._hierarchy = hierarchy
        self._aliases = aliases
        self._of_functions: dict[ast.AST, dict[str, frozenset[Value]]] = {}

    def declared_parameters(self, function: FunctionInfo) -> dict[str, frozenset[Value]]:
        """Return the parameters with known annotations, each with the values allowed by it."""
        known = self._of_functions.get(function.node)
        if known is None:
            args = function.node.args
            found = {
                arg.arg: self.annotation(arg.annotation, function.enclosing)
                for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)
            }
            known = {name: values for name, values in found.items() if values is not None}
            if not self._evaluation.is_solving:
                self._of_functions[function.node] = known
        return known

    def declared(self, parameter: Parameter) -> Values:
        """Return the values that the annotation of a parameter allows."""
        args = cast("ast.FunctionDef | ast.AsyncFunctionDef", parameter.scope.node).args
        for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs):
            if arg.arg == parameter.name and arg.annotation is not None:
                scope = parameter.scope
                return self.annotation(arg.annotation, scope.parent or scope)
        return None

    def annotation(self, node: ast.expr | None, scope: Scope) -> Values:
        """Return the values of a variable with this annotation."""
        match node:
            case None:
                return None
            case ast.Constant(value=None):
                return NOTHING
            case ast.Constant(value=str(text)):
                try:
                    return self.annotation(ast.parse(text.strip(), mode="eval").body, scope)
                except (SyntaxError, ValueError):
                    return None
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return join(self.annotation(left, scope), self.annotation(right, scope))
            case ast.Subscript(value=base, slice=inner):
                return as_declared(
                    self._generic(self._evaluation.evaluate(base, scope), inner, scope)
                )
            case ast.Name() | ast.Attribute():
                alias = self._aliases.find(node, scope)
                if alias is not None:
                    key = ("alias", alias[1].module.path, alias[0])
                    return self._evaluation.solve(key, lambda: self.annotation(*alias))
                return as_declared(self._annotated(self._evaluation.evaluate(node, scope)))
            case _:
                return None

    def _annotated(self, values: Values) -> Values:
        if values is None:
            return None
        found: set[Value] = set()
        for value in values:
            match value:
                case ClassValue(cls=cls):
                    if self._hierarchy.is_structural(cls):
                        return None
                    found.add(Instance(cls))
                case External(name=name):
                    short = name.rpartition(".")[2]
                    if name in _OPAQUE_ANNOTATIONS or name.startswith(
                        ("typing.", "typing_ext", "collections.abc.")
                    ):
                        if short in ("Text", "AnyStr"):
                            found.add(ExternalInstance("builtins.str"))
                        elif short == "Callable":
                            found.add(ExternalInstance("typing.Callable"))
                        elif short in _PLAIN_TYPES:
                            found.add(ExternalInstance(f"typing.{short}"))
                        else:
                            return None
                        continue
                    found.add(ExternalInstance(name))
                case _:
                    return None
        return frozenset(found)

    def _generic(self, base: Values, inner: ast.expr, scope: Scope) -> Values:
        if base is None or len(base) != 1:
            return None
        (value,) = base
        match value:
            case ClassValue(cls=cls):
                return None if self._hierarchy.is_structural(cls) else frozenset({Instance(cls)})
            case External(name=name):
                short = name.rpartition(".")[2]
            case _:
                return None
        elements = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        if short == "Callable":
            return frozenset(
                {ExternalInstance("typing.Callable", self.annotation(elements[-1], scope))}
            )
        if name in _WRAPPERS:
            return self.annotation(elements[-1 if short == "Coroutine" else 0], scope)
        if short == "Union":
            return join(*(self.annotation(e, scope) for e in elements))
        if short in ("Type", "type"):
            return classes_of(self.annotation(elements[0], scope))
        if short in ("Tuple", "tuple"):
            parts = tuple(self.annotation(e, scope) for e in elements)
            if len(elements) == 2 and isinstance(elements[1], ast.Constant):
                return builtin("tuple", parts[0])
            return frozenset({TupleOf(parts)})
        if short in _ABSTRACT_GENERICS and len(elements) <= 3:
            return frozenset(
                {ExternalInstance(f"{ABSTRACT}{short}", self.annotation(elements[0], scope))}
            )
        if short in _SEQUENCES or short in ("list", "set", "frozenset", "deque"):
            return builtin("list" if short != "set" else "set", self.annotation(elements[0], scope))
        if (short in _MAPPINGS or short in ("dict", "defaultdict")) and len(elements) > 1:
            return builtin("dict", *(shallow(self.annotation(e, scope)) for e in elements[:2]))
        return None
