"""Builds the arguments of a target, and the instances that its methods are called on."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Collection, Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Literal

from ...mocker.flow import NO_USES, FlowQuery, Uses
from ...mocker.flow.annotation_flow import annotate, bases_of, checked_field, fields_of, is_enum
from ...mocker.flow.build_flow import build_walk
from ...mocker.flow.fields import Field
from ...mocker.flow.flow_graph import Fact
from ...mocker.flow.flow_walk import Walk
from ...mocker.flow.named_tuples import NamedTupleInfo, fields_of_call
from ...mocker.shapes import infer
from ...mocker.shapes.gathered_uses import merged
from ...mocker.shapes.shape import (
    OTHER_RECORD,
    Anything,
    Either,
    Mapping,
    Maybe,
    Object,
    Plain,
    Sequence,
    Shape,
)
from ...mocker.shapes.shape_values import value_of
from ...slicer.analysis.names.word_mentions import Mentions
from ...slicer.analysis.scopes.definitions import ClassInfo
from ...slicer.analysis.values.abstract_values import ClassValue, ordered
from ...slicer.emission.choose_layout import layout_of
from ...slicer.emission.manifest.suggestions.target_functions import FunctionNode, TargetFunction
from ...slicer.errors import SourceError
from ...slicer.model import Slice
from ...slicer.repo.repository import Repository
from ...slicer.resources.paths.callees import external_names
from ..script.carried_names import carried_name, in_script
from .arguments.recursive_values import ended
from .arguments.shape_variations import variations
from .arguments.value_depth import bounded
from .classes.abstract_members import completed, is_declared
from .target_functions import targeted_functions
from .texts.gateway_requests import gateway_texts
from .texts.render_values import expression
from .texts.sql_names import sql_name
from .types.docstring_types import annotation_from_prose, kind_from_prose
from .types.docstrings import documented_argument, documented_type
from .types.known_classes import inherited_constructor_arguments
from .types.mapped_columns import Column, columns_of
from .types.parameter_defaults import default_of, non_default_first
from .types.value_kinds import Kinds, annotated_kinds

_MAX_DEPTH = 4
_MAX_SITES = 20
_MAX_MEMBERS = 4
_OF_ATTRS = frozenset("define mutable frozen attrs attributes s".split())
"""Decorators whose constructors take private fields without underscores (attrs)."""
_OF_MAPPINGS = frozenset(dir(dict))
_SCALARS: dict[Kinds, Literal["int", "float", "bool", "bytes"]] = {
    frozenset({"int"}): "int", frozenset({"int", "float"}): "float",
    frozenset({"bool"}): "bool", frozenset({"bytes"}): "bytes",
}  # fmt: skip
_BUILT_IN = frozenset(
    {"str", "bytes", "bool", "int", "float", "tuple", "list", "set", "frozenset", "dict"}
)


@dataclass(slots=True)
class ArgumentBuilder:
    """Builds the expressions for one slice."""

    repository: Repository
    sliced: Slice
    walk: Walk = field(init=False)
    follower: FlowQuery = field(init=False)
    libraries: frozenset[str] = field(init=False)
    there: frozenset[str] = field(init=False)
    """Top-level names of the libraries that the slice's files import."""
    kept: frozenset[tuple[str, int]] = field(init=False)
    kept_lines: dict[str, list[tuple[int, int]]] = field(init=False)
    """First and last lines of the kept definitions, by path."""
    assumed: dict[int, object] = field(default_factory=dict[int, object])
    target: TargetFunction | None = field(init=False)
    """The function of the first target, not an overload."""
    looked_at: frozenset[tuple[str, str]] = frozenset()
    """Pairs of a nested instance's name and an optional constructor argument that it gets as
    well."""

    def __post_init__(self) -> None:
        self.walk = build_walk(self.repository, self.sliced.manifest)
        manifest = self.sliced.manifest
        self.libraries = frozenset(e.module.split(".")[0] for e in manifest.externals)
        self.there = self.libraries | frozenset(self._imported())
        self.follower = FlowQuery(self.walk.graph, libraries=self.there)
        self.kept = frozenset((d.path, d.first_line) for d in manifest.definitions)
        self.kept_lines = {}
        for each in manifest.definitions:
            if each.kind != "class":
                lines = (each.first_line, each.last_line)
                self.kept_lines.setdefault(each.path, []).append(lines)
        self.target = self._target()

    def _imported(self) -> Iterator[str]:
        """Yield the top-level names that the files of kept definitions import."""
        for path in sorted({each.path for each in self.sliced.manifest.definitions}):
            for node in ast.walk(self.repository.module_at(path).source.tree):
                if isinstance(node, ast.Import):
                    yield from (alias.name.partition(".")[0] for alias in node.names)
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    yield node.module.partition(".")[0]

    def giving(self, looked_at: frozenset[tuple[str, str]]) -> ArgumentBuilder:
        """Return a builder that passes these optional arguments to nested instances, too."""
        found = copy(self)
        found.looked_at = looked_at
        return found

    def _target(self) -> TargetFunction | None:
        found = targeted_functions(self.repository, self.sliced)
        plain = [each for each in found if "overload" not in each.kinds]
        return next(iter(plain or found), None)

    # ------------------------------------------------------------------ functions

    def arguments(
        self, function: TargetFunction, depth: int, *, every: bool = False, holder: str = ""
    ) -> list[tuple[str, str]]:
        """Return name and expression of each required argument; of optional ones too if `every`."""
        node = function.node
        skipped = 1 if function.takes_self else 0
        positional = function.positional
        least = len(positional) - len(node.args.defaults)
        needed = [
            arg
            for place, arg in enumerate(positional)
            if place >= skipped and (every or place < least or (holder, arg.arg) in self.looked_at)
        ]
        needed += [
            arg
            for arg, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            if every or default is None or (holder, arg.arg) in self.looked_at
        ]
        found: list[tuple[str, str]] = []
        for arg in needed:
            text = self.literal(function, arg.arg, skipped) if depth == 0 else None
            if text is None:
                name = sql_name(node, arg.arg, self.sliced.source)
                text = repr(name) if name else self.parameter(function, arg, depth)
            default = default_of(node, arg.arg)
            if default is not None:
                text = non_default_first([text], default)[0]
            found.append((arg.arg, text))
        rest = node.args.vararg
        if rest is not None and len(node.args.defaults) == 0 and depth == 0:
            uses = self.uses_of(node, rest.arg)
            if uses.below or uses.facts:
                found.append((f"*{rest.arg}", self.of(uses, rest.arg, depth)))
        named = node.args.kwarg
        if named is not None and depth == 0:
            uses = self.uses_of(node, named.arg)
            shape = infer(uses, "any", named.arg)
            if isinstance(shape, Mapping) and any(not e.may_be_missing for e in shape.entries):
                found.append((f"**{named.arg}", self.of(uses, named.arg, depth)))
        return found

    def assume(self, function: TargetFunction) -> None:
        """Record values of parameters that serve as keys, so that other arguments hold them."""
        for arg in function.positional:
            node = self.walk.graph.named.get(("parameter", function.node, arg.arg))
            if node is not None and node not in self.follower.graph.constants:
                shape = infer(self.follower.uses((node,)), "any", arg.arg)
                if isinstance(shape, (Anything, Plain)):
                    value = value_of(shape)
                    if isinstance(value, (str, int)):
                        self.assumed[node] = value

    def uses_of(self, node: FunctionNode, name: str) -> Uses:
        """Return the uses of a function's parameter."""
        parameter = self.walk.graph.named.get(("parameter", node, name))
        return self.follower.uses((parameter,)) if parameter is not None else NO_USES

    def parameter(self, function: TargetFunction, arg: ast.arg, depth: int) -> str:
        """Return an expression for a parameter, from its annotation and its uses."""
        node = function.node
        served = self.served(node, arg)
        if served:
            return served[0]
        uses = merged(self.uses_of(node, arg.arg), self.documented(function, arg))
        shape = infer(uses, "any", arg.arg)
        shape = self.declared(shape, uses, annotated_kinds(arg.annotation), arg.arg)
        if isinstance(shape, Maybe) and _names_class(arg.annotation, shape.shape):
            shape = shape.shape  # `None` is allowed elsewhere, but not here
        return self._written(self.replaced(shape, uses, arg.arg), depth + 1)

    def declared(self, shape: Shape, uses: Uses, kinds: Kinds, name_hint: str) -> Shape:
        """Return the shape of a value declared as exactly a text, a number or a mapping.

        Code that takes any type asks such values for members that only other types have.

        Args:
            shape: the shape inferred from the uses.
            uses: uses of the value.
            kinds: the declared kinds.
            name_hint: name of the value.
        """
        declared = set(kinds) - {"NoneType"}
        if isinstance(shape, Either):
            shape = _declared_first(shape, declared)
        inner = shape.shape if isinstance(shape, Maybe | Either) else shape
        if declared == {"str"} and isinstance(inner, Object | Mapping | Sequence):
            return infer(uses, "text", name_hint)
        if "str" in declared <= _BUILT_IN and isinstance(inner, Object):
            return infer(uses, "text", name_hint)
        scalar = _SCALARS.get(frozenset(declared))
        if scalar is not None and isinstance(inner, Object | Mapping | Sequence):
            made = infer(replace(uses, below={}), "any", name_hint)
            return made if isinstance(made, Plain) else Plain(scalar, name_hint)
        if declared == {"dict"} and isinstance(inner, Object | Sequence):
            below = {k: v for k, v in uses.below.items() if k[0] != "attr" or k[1] in _OF_MAPPINGS}
            return infer(replace(uses, below=below), "json", name_hint)
        return shape

    def documented(self, function: TargetFunction, arg: ast.arg) -> Uses:
        """Return what the docstring says about a parameter without annotation."""
        described = documented_type(ast.get_docstring(function.node), arg.arg)
        if arg.annotation is not None or described is None:
            return NO_USES
        value = self.walk.graph.new()
        annotate(self.walk, value, annotation_from_prose(described), function.enclosing)
        uses = self.follower.uses((value,))
        kind = kind_from_prose(described)
        if uses.facts or kind is None:
            return uses
        return Uses((Fact("type", kind),), {}, self.follower)

    def served(self, node: ast.FunctionDef | ast.AsyncFunctionDef, arg: ast.arg) -> tuple[str, ...]:
        """Return expressions for what a web server passes, unless an own class is expected."""
        found = gateway_texts(node, arg)
        facts = self.uses_of(node, arg.arg).facts if found else ()
        return () if any(fact.kind == "class" for fact in facts) else found

    def of(self, uses: Uses, name_hint: str, depth: int) -> str:
        """Return an expression for a value with these uses."""
        return self._written(
            self.replaced(infer(uses, "any", name_hint), uses, name_hint), depth + 1
        )

    def texts(self, shape: Shape) -> Iterator[str]:
        """Yield expressions for a shape, then for each other outcome of the tests on it."""
        shape = ended(shape)
        others = sorted(variations(shape, 0), key=lambda other: other[0])
        plain = (each for _, name, each in others if not name.endswith(OTHER_RECORD))
        yield from (self._written(each, 1) for each in (shape, *plain) if each is not None)

    def records(self, shape: Shape) -> Iterator[str]:
        """Yield expressions for other records among those that the value is parsed as."""
        for _, name, other in variations(ended(shape), 0):
            if other is not None and name.endswith(OTHER_RECORD):
                yield self._written(other, 1)

    def _written(self, shape: Shape, depth: int) -> str:
        """Return an expression for a shape; `depth` counts the enclosing instances."""

        def known(wanted: Object) -> str | None:
            cls = wanted.own
            if isinstance(cls, NamedTupleInfo):
                return self._named_tuple(cls, wanted, depth)
            if not isinstance(cls, ClassInfo):
                return None
            if wanted.is_class and self.keeps_class(cls):
                return self.class_name(cls)
            return self.instance(cls, depth, holder=wanted.hint)

        return bounded(shape, lambda each: expression(each, self.libraries, known))

    def _named_tuple(self, made: NamedTupleInfo, wanted: Object, depth: int) -> str | None:
        """Return an expression for a named tuple or its class; `None` if the slice lacks it."""
        if not self.keeps_class(made):
            return None
        name = self.class_name(made)
        if wanted.is_class:
            return name
        known = {entry.key: entry.shape for entry in wanted.attributes}
        given = (f"{f.name}={self._written(known[f.name], depth + 1)}" for f in made.fields)
        return f"{name}({', '.join(given)})"

    def replaced(self, shape: Shape, uses: Uses, name_hint: str) -> Shape:
        """Replace an instance of a class that the slice lacks by a stand-in with what is used."""
        cls = shape.own if isinstance(shape, Object) else None
        if not isinstance(cls, ClassInfo | NamedTupleInfo) or self.keeps_class(cls):
            return shape
        return self.imitated(cls, uses, name_hint)

    def imitated(self, cls: ClassInfo | NamedTupleInfo, uses: Uses, name_hint: str) -> Shape:
        """Return a stand-in's shape: what is used of an instance of the class."""
        plain = replace(uses, facts=tuple(f for f in uses.facts if f.kind != "class"))
        made = infer(plain, "any", name_hint)
        if isinstance(made, Object):
            return replace(made, type_name=made.type_name or cls.qualname)
        return (
            Object(type_name=cls.qualname, hint=name_hint) if isinstance(made, Anything) else made
        )

    def keeps_class(self, cls: ClassInfo | NamedTupleInfo) -> bool:
        """Whether the slice keeps the class."""
        return (cls.module.path, cls.unit.first) in self.kept

    def keeps_function(self, node: ast.AST, path: str) -> bool:
        """Whether the slice keeps a function of a file."""
        line = getattr(node, "lineno", 0)
        return any(first <= line <= last for first, last in self.kept_lines.get(path, ()))

    def literal(self, function: TargetFunction, name: str, shift: int) -> str | None:
        """Return the literal that a docstring example or a call in the repository passes."""
        order = [arg.arg for arg in function.positional]
        example = documented_argument(
            ast.get_docstring(function.node), function.name, order[shift:], name
        )
        if example is not None and is_literal(example):
            return ast.unparse(example)
        mentions = Mentions(self.repository)
        for number, site in enumerate(mentions.calls(function.name)):
            if number >= _MAX_SITES:
                return None
            given = dict(zip(order[shift:], site.call.args, strict=False))
            given |= {k.arg: k.value for k in site.call.keywords if k.arg}
            argument = given.get(name)
            if argument is not None and is_literal(argument):
                return ast.unparse(argument)
        return None

    def in_script(self, function: TargetFunction, text: str) -> str:
        """Return the script's name for something that a function's module names."""
        first = text.partition(".")[0]
        if not first.isidentifier() or hasattr(builtins, first):
            return text
        return in_script(self.repository, self.sliced, function.module.path, text)

    # ------------------------------------------------------------------ classes

    def class_name(self, cls: ClassInfo | NamedTupleInfo) -> str:
        """Return an expression for a class of the slice, in the namespace of the script."""
        manifest = self.sliced.manifest
        target = manifest.targets[0]
        is_own = cls.module.path == target.path and cls.qualname == target.qualname.split(".")[0]
        if layout_of(manifest).is_merged or is_own:
            return cls.qualname
        name = carried_name(self.repository, self.sliced, cls.module.path)
        return f'__import__("importlib").import_module({name!r}).{cls.qualname}'

    def instance(self, cls: ClassInfo, depth: int, *, every: bool = False, holder: str = "") -> str:
        """Return an expression for an instance.

        Args:
            cls: class of the instance.
            depth: number of enclosing instances.
            every: whether to pass optional arguments, too.
            holder: name of the instance in its holder.
        """
        if not self.keeps_class(cls):
            return expression(Object(type_name=cls.qualname), self.libraries, lambda _: None)
        name = self.class_name(cls)
        if is_enum(self.walk, cls):
            members = self.members(cls)
            return f"{name}.{members[0]}" if members else f"{name}.__new__({name})"
        if depth > _MAX_DEPTH or self._lacks_constructor(cls):
            return f"{name}.__new__({name})"
        given = self.constructor_arguments(cls, depth, every=every, holder=holder) or []
        name = self.completed(cls, depth)
        bases = self.walk.inference.external_bases(cls)
        if not given or "builtins.type" in bases:
            return f"{name}({inherited_constructor_arguments(bases)})"
        return f"{name}({', '.join(f'{key}={text}' for key, text in given)})"

    def members(self, cls: ClassInfo) -> tuple[str, ...]:
        """Return the first members of an enumeration; nothing for another class."""
        if not is_enum(self.walk, cls):
            return ()
        found = (unit.binds[0] for unit in cls.members if isinstance(unit.node, ast.Assign))
        return tuple(name for name in found if not name.startswith("_"))[:_MAX_MEMBERS]

    def completed(
        self,
        cls: ClassInfo,
        depth: int,
        is_left: Callable[[FunctionNode, ClassInfo], bool] | None = None,
    ) -> str:
        """Return an expression for the class, or for a subclass that completes an abstract one.

        Args:
            cls: the class.
            depth: number of enclosing instances.
            is_left: whether to supply a member that is not marked as abstract; by default those
                that a protocol declares.
        """

        def returned(node: ast.FunctionDef | ast.AsyncFunctionDef, owner: ClassInfo) -> str:
            if node.returns is None or ast.unparse(node.returns) == "None":
                return "None"
            result = self.walk.graph.new()
            annotate(self.walk, result, node.returns, owner.scope)
            return self.of(self.follower.uses((result,)), node.name, depth + 2)

        def target_class_name(
            node: ast.FunctionDef | ast.AsyncFunctionDef, owner: ClassInfo
        ) -> str | None:
            """Return the class whose own method runs: that of the target, although abstract."""
            target = self.target
            if target is None or node is not target.node:
                return None
            # class methods and static methods are called on the class itself
            is_of_class = target.kinds & {"classmethod", "staticmethod"}
            return None if is_of_class else self.class_name(owner)

        return completed(
            self.walk.inference,
            cls,
            self.class_name(cls),
            returned,
            target_class_name,
            is_left or is_declared,
        )

    def constructor_arguments(
        self, cls: ClassInfo, depth: int, *, every: bool = False, holder: str = ""
    ) -> list[tuple[str, str]] | None:
        """Return the constructor's arguments; `None` if no call constructs the class."""
        if not self.keeps_class(cls) or is_enum(self.walk, cls):
            return None
        found = self.constructor(cls)
        if found is None:
            return self._fields(cls, depth, every=every, holder=holder)
        if not self.keeps_function(found.node, found.module.path):
            return []
        return self.arguments(found, depth + 1, every=every, holder=holder)

    def _lacks_constructor(self, cls: ClassInfo) -> bool:
        """Whether the slice lacks the constructor that the repository defines for the class."""
        found = self.constructor(cls)
        return found is not None and not self.keeps_function(found.node, found.module.path)

    def constructor(self, cls: ClassInfo) -> TargetFunction | None:
        """Return the `__init__` that makes instances of a class, if the repository defines one."""
        try:
            found = self.walk.inference.find_member(cls, "__init__")
        except SourceError:
            return None
        for unit in found[1] if found else ():
            if found is not None and isinstance(unit.node, ast.FunctionDef):
                owner = found[0]
                return TargetFunction(owner.module, unit.node, owner.scope, owner, cls.qualname)
        return None

    def _fields(
        self, cls: ClassInfo, depth: int, *, every: bool, holder: str
    ) -> list[tuple[str, str]]:
        bases = bases_of(self.walk, cls)
        decorators = {
            name.split(".")[-1]
            for owner in self.walk.inference.mro(cls)
            for d in owner.node.decorator_list
            for name in self._names(owner, d)
        }
        made_of_fields = decorators & {"dataclass", *_OF_ATTRS} or any(
            base.endswith(("BaseModel", "NamedTuple", "SQLModel", "Struct", "BaseSettings"))
            for base in bases
        )
        made_of_fields = made_of_fields or any(
            fields_of_call(self.walk.inference, base, owner.enclosing)
            for owner in self.walk.inference.mro(cls)
            for base in owner.node.bases
        )
        if not made_of_fields:
            return [
                (each.name, self._column(cls, each, depth))
                for each in columns_of(cls.node)
                if every or (holder, each.name) in self.looked_at
            ]
        needed = [
            f
            for f in fields_of(self.walk, cls)
            if f.is_in_constructor and (every or f.is_needed or (holder, f.name) in self.looked_at)
        ]
        is_bare = bool(decorators & _OF_ATTRS)  # attrs constructors drop leading underscores
        names = [f.name.lstrip("_") if is_bare else f.name for f in needed]
        values = (self._other_than_default(f, self._field(cls, f, depth)) for f in needed)
        return list(zip(names, values, strict=True))

    def _column(self, cls: ClassInfo, column: Column, depth: int) -> str:
        if column.to is not None:
            for value in ordered(self.walk.inference.evaluate(column.to, cls.scope)):
                if isinstance(value, ClassValue):
                    return self.instance(value.cls, depth + 1, every=depth < 1)
            return "None"
        uses = self.follower.uses((self.walk.attribute_of(cls, column.name),))
        typed = Uses((Fact("type", column.kind),), {}, self.follower)
        return self.of(merged(uses, typed), column.name, depth)

    def _other_than_default(self, known: Field, text: str) -> str:
        """Return another value than the field's default, where the given one equals it."""
        return text if known.default is None else non_default_first([text], known.default)[0]

    def _names(self, cls: ClassInfo, decorator: ast.expr) -> tuple[str, ...]:
        """Return a decorator's names: as written, and as imported from outside."""
        function = decorator.func if isinstance(decorator, ast.Call) else decorator
        found = external_names(self.walk.inference, function, cls.enclosing)
        return (ast.unparse(function), *found)

    def _field(self, cls: ClassInfo, known: Field, depth: int) -> str:
        graph = self.walk.graph
        node = graph.new()
        annotate(self.walk, node, known.annotation, cls.scope)
        holders = (
            self.walk.attribute_of(cls, known.name),
            checked_field(self.walk, cls, known.name),
        )
        uses = merged(self.follower.uses((node,)), self.follower.uses(holders))
        return self.of(uses, known.name, depth)


_PROPERTIES = frozenset(
    "property cached_property hybrid_property lazy_property lazyproperty reify".split()
)


def is_property(builder: ArgumentBuilder, function: TargetFunction) -> bool:
    """Whether the target is an attribute to read, by its decorators, and not called."""
    if function.kinds & _PROPERTIES:
        return True
    scope = function.owner.scope if function.owner is not None else function.enclosing
    return any(
        isinstance(value, ClassValue)
        and _has_member(builder, value.cls, "__get__")
        and not _has_member(builder, value.cls, "__call__")
        for decorator in function.node.decorator_list
        for value in ordered(builder.walk.inference.evaluate(decorator, scope))
    )


def _has_member(builder: ArgumentBuilder, cls: ClassInfo, name: str) -> bool:
    try:
        return builder.walk.inference.find_member(cls, name) is not None
    except SourceError:
        return False


def _declared_first(shape: Either, declared: Collection[str]) -> Either:
    """Return the shape with an alternative of a declared kind first."""
    (first, *rest) = sorted(
        (("", shape.shape), *shape.others),
        key=lambda other: _kind_of_shape(other[1]) not in declared,
    )
    if _kind_of_shape(first[1]) not in declared or first[1] is shape.shape:
        return shape
    return Either(first[1], tuple(other for other in rest if other[1] is not shape.shape))


def _kind_of_shape(shape: Shape) -> str:
    match shape:
        case Plain(kind=kind):
            return {"text": "str", "char": "str", "number": "int"}.get(kind, kind)
        case Sequence(type_name=name):
            return name
        case Mapping():
            return "dict"
        case _:
            return ""


def _names_class(annotation: ast.expr | None, shape: Shape) -> bool:
    """Whether an annotation names the class of an object's shape."""
    match annotation, shape:
        case ast.Name(id=name) | ast.Attribute(attr=name), Object(own=ClassInfo() as cls):
            return name == cls.node.name
        case _:
            return False


def is_literal(node: ast.expr) -> bool:
    """Whether an expression is a non-empty literal other than `None`."""
    try:
        value: object = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError):
        return False
    return value is not None and value != "" and not _is_empty(value)


def _is_empty(value: object) -> bool:
    return isinstance(value, (list, dict, tuple, set)) and not value
