"""Which values an expression may have: the receivers of attribute accesses.

Flow-insensitive and by demand: a local name may hold whatever any statement of its scope binds to
it; an attribute whatever the class's own methods assign to it; a call what the function's `return`
statements or its annotation say. Parameters without an annotation are unknown.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar, cast

from .definitions import (
    Binder,
    ClassInfo,
    FunctionInfo,
    Scope,
    comprehension_scope,
    function_scope,
    module_class,
    module_scope,
    nested_class,
    unit_scope,
)
from .fixpoint import Fixpoint
from .known import CONTAINERS, OPEN_MODULES, STR_METHODS
from .names import (
    Bound,
    Builtin,
    FromStar,
    ImportedExternal,
    ImportedModule,
    ImportedName,
    Names,
)
from .narrowing import narrowed_to
from .nodes import children
from .repository import STDLIB, Module, Namespace
from .units import Unit, is_typing_test
from .values import (
    ABSTRACT,
    BOOL,
    BYTES,
    FLOAT,
    INT,
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
    is_abstract,
    join,
    ordered,
)

sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))

_CONSTANTS: dict[type[object], Values] = {
    str: STR,
    int: INT,
    bool: BOOL,
    float: FLOAT,
    bytes: BYTES,
    complex: builtin("complex"),
}
_SCALARS = frozenset({"builtins.str", "builtins.bytes", "builtins.int", "builtins.float",
                      "builtins.bool", "builtins.complex", "builtins.bytearray"})  # fmt: skip
_NUMBERS = frozenset({"builtins.int", "builtins.float", "builtins.bool", "builtins.complex"})
_PASS_THROUGH = frozenset(
    {"copy.copy", "copy.deepcopy", "builtins.reversed", "builtins.sorted", "builtins.iter"}
)
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

_Def = ast.FunctionDef | ast.AsyncFunctionDef

_MAX_DEPTH = 150
"""Expressions nested deeper than this are unknown."""


class Inference:
    """Evaluation over one repository; answers are kept for all targets."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.repository = names.repository
        self._fixpoint = Fixpoint()
        self._depth = 0
        self._mros: dict[ClassInfo, tuple[ClassInfo, ...]] = {}
        self._bases: dict[ClassInfo, tuple[Values, ...]] = {}
        self._member_names: dict[ClassInfo, dict[str, None]] = {}
        self._external: dict[ClassInfo, tuple[str, ...]] = {}
        self._assigned: dict[ClassInfo, frozenset[str]] = {}

    # ------------------------------------------------------------------ expressions

    def evaluate(self, node: ast.expr | None, scope: Scope) -> Values:
        """Values of an expression in a scope; unknown where there is no expression."""
        return self.closed(self.possible(node, scope))

    def closed(self, values: Values) -> Values:
        """The values with every parameter replaced by what its declaration allows."""
        if not values:
            return values
        for value in values:
            if type(value) is Parameter:
                break
        else:
            return values
        return join(
            *(self.declared(v) if isinstance(v, Parameter) else frozenset({v}) for v in values)
        )

    def declared(self, parameter: Parameter) -> Values:
        """What the annotation of a parameter allows."""
        args = cast("_Def", parameter.scope.node).args
        for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs):
            if arg.arg == parameter.name and arg.annotation is not None:
                scope = parameter.scope
                return self.annotation(arg.annotation, scope.parent or scope)
        return None

    def possible(self, node: ast.expr | None, scope: Scope) -> Values:
        """Values of an expression, among them parameters whose callers decide what they are."""
        method = self._EVALUATORS.get(type(node))
        if method is None or self._depth > _MAX_DEPTH:
            return None
        self._depth += 1
        try:
            return method(self, node, scope)
        finally:
            self._depth -= 1

    def _solve(self, key: Hashable, compute: Callable[[], Values]) -> Values:
        # an answer must not depend on how deep in some expression the question was asked
        before, self._depth = self._depth, 0
        try:
            return self._fixpoint.solve(key, compute)
        finally:
            self._depth = before

    def _constant(self, node: ast.Constant, scope: Scope) -> Values:
        return NOTHING if node.value is None else _CONSTANTS.get(type(node.value))

    def _name(self, node: ast.Name, scope: Scope) -> Values:
        holder = scope.lookup(node.id)
        if holder is None:
            return self.global_values(scope.module, node.id)
        values = self.local_values(holder, node.id)
        if (
            values is not None
            and len(values) == 1
            and not (is_abstract(values) or any(isinstance(v, Parameter) for v in values))
        ):
            return values
        classes = narrowed_to(holder, node)
        narrowed = self._tested(classes, holder) if classes is not None else None
        return values if narrowed is None else narrowed

    def _tested(self, classes: ast.expr, scope: Scope) -> Values:
        """Instances of the classes of an `isinstance` test, where they are all known."""
        elements = classes.elts if isinstance(classes, ast.Tuple) else [classes]
        found: set[Value] = set()
        for value in self.instances(join(*(self.evaluate(e, scope) for e in elements))) or ():
            match value:
                case Instance(cls=cls) if self._is_structural(cls):
                    return None
                case ExternalInstance(name=name) if name not in _SCALARS and not _is_closed(name):
                    return None  # a class of ours may derive from it
                case _:
                    found.add(value)
        return frozenset(found) or None

    def name_values(self, name: str, scope: Scope) -> Values:
        """Values of a name as seen from a scope."""
        holder = scope.lookup(name)
        if holder is None:
            return self.global_values(scope.module, name)
        return self.local_values(holder, name)

    def local_values(self, scope: Scope, name: str) -> Values:
        """Values of a name bound in a function, class or comprehension scope."""
        return self._solve(("local", scope, name), lambda: self._local_values(scope, name))

    def _local_values(self, scope: Scope, name: str) -> Values:
        values = NOTHING
        binders = scope.binders[name]
        declared = [b for b in binders if b.kind == "annotated"]
        for binder in declared or binders:
            if binder.kind == "import":
                node = cast("ast.Import | ast.ImportFrom", binder.node)
                found = self._import_values(node, scope.module, name)
            else:
                found = self._binder_values(binder, scope)
            if found is None:
                return None
            values = values | found
        return values

    def _binder_values(self, binder: Binder, scope: Scope) -> Values:
        match binder.kind:
            case "parameter":
                return self._parameter(cast("ast.arg", binder.node), scope)
            case "rest" | "keywords":
                annotation = cast("ast.arg", binder.node).annotation
                held = _shallow(self.annotation(annotation, scope.parent or scope))
                if binder.kind == "rest":
                    return builtin("tuple", held)
                return builtin("dict", STR, held)
            case "value":
                return self._unpacked(
                    self.possible(binder.value, scope), binder.path, binder.value, scope
                )
            case "item":
                items = self.items(self.evaluate(binder.value, scope))
                return self._unpacked(items, binder.path, None, scope)
            case "enter":
                return self._entered(self.evaluate(binder.value, scope))
            case "annotated":
                value = getattr(binder.node, "value", None)
                if value is not None and _is_bare_final(binder.value):
                    return self.evaluate(value, scope)
                return self.annotation(binder.value, scope)
            case "function":
                return self.function_value(cast("_Def", binder.node), scope)
            case "class":
                node = cast("ast.ClassDef", binder.node)
                unit = self._unit_of(scope.module, node)
                return frozenset({ClassValue(nested_class(scope, unit, node))})
            case "exception":
                return self._exception(binder.value, scope)
            case _:
                return None

    def _unit_of(self, module: Module, node: ast.stmt) -> Unit:
        for unit in module.units:
            if unit.first <= node.lineno <= unit.last:
                return unit
        return module.units[0]

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
                    if not is_class and self.is_metaclass(owner):
                        return None
                    return frozenset({ClassValue(owner) if is_class else Instance(owner)})
        values = self.annotation(arg.annotation, scope.parent or scope)
        if isinstance(node, ast.Lambda) or not (
            values is None or is_abstract(values) or _is_callable(values)
        ):
            return values
        return frozenset({Parameter(scope, arg.arg)})

    def _unpacked(
        self, values: Values, path: tuple[int, ...], node: ast.expr | None, scope: Scope
    ) -> Values:
        if (
            path
            and isinstance(node, (ast.Tuple, ast.List))
            and 0 <= path[0] < len(node.elts)
            and not any(isinstance(e, ast.Starred) for e in node.elts)
        ):
            part = node.elts[path[0]]
            return self._unpacked(self.possible(part, scope), path[1:], part, scope)
        for index in path:
            values = self.closed(values)
            if values is None:
                return None
            parts: list[Values] = []
            for value in values:
                if isinstance(value, TupleOf) and 0 <= index < len(value.parts):
                    parts.append(value.parts[index])
                elif index == -1:
                    parts.append(builtin("list", self.items(frozenset({value}))))
                else:
                    parts.append(self.items(frozenset({value})))
            values = join(*parts)
        return values

    def items(self, values: Values) -> Values:
        """What iterating over the values gives."""
        values = self.closed(values)
        if values is None:
            return None
        found: list[Values] = []
        for value in values:
            match value:
                case ExternalInstance(name="builtins.str"):
                    found.append(STR)
                case ExternalInstance(name="builtins.bytes"):
                    found.append(INT)
                case ExternalInstance(items=items):
                    found.append(
                        items if not _is_closed(value.name) else frozenset({External("?")})
                    )
                case TupleOf(parts=parts):
                    found.append(join(*parts))
                case Instance(cls=cls):
                    found.append(self._iterated(cls))
                case _:
                    return None
        return join(*found)

    def _iterated(self, cls: ClassInfo) -> Values:
        result = self.call_member(frozenset({Instance(cls)}), "__iter__")
        if result is None:
            return None
        parts: list[Values] = []
        for value in result:
            if isinstance(value, Instance):
                parts.append(self.call_member(frozenset({value}), "__next__"))
            else:
                parts.append(self.items(frozenset({value})))
        return join(*parts)

    def _entered(self, values: Values) -> Values:
        values = self.closed(values)
        if values is None:
            return None
        parts: list[Values] = []
        for value in values:
            match value:
                case Instance():
                    single: Values = frozenset({value})
                    entered = self.call_member(single, "__enter__")
                    if entered is None:
                        entered = self.call_member(single, "__aenter__")
                    parts.append(entered)
                case ExternalInstance(name="contextmanager", items=items):
                    parts.append(items)
                case ExternalInstance(name=name) if name in CONTAINERS:
                    return None
                case ExternalInstance():
                    parts.append(frozenset({value}))
                case _:
                    return None
        return join(*parts)

    def call_member(self, values: Values, name: str) -> Values:
        """What calling the member without arguments gives."""
        return self.call_values(self.member(values, name), (), None)

    def _exception(self, node: ast.expr | None, scope: Scope) -> Values:
        if node is None:
            return None
        elements = node.elts if isinstance(node, ast.Tuple) else [node]
        return self.instances(join(*(self.evaluate(e, scope) for e in elements)))

    def instances(self, values: Values) -> Values:
        """Instances of the classes among the values."""
        if values is None:
            return None
        found: set[Value] = set()
        for value in values:
            match value:
                case ClassValue(cls=cls):
                    found.add(Instance(cls))
                case External(name=name):
                    found.add(ExternalInstance(name))
                case TupleOf(parts=parts):
                    inner = self.instances(join(*parts))
                    if inner is None:
                        return None
                    found |= inner
                case _:
                    return None
        return frozenset(found)

    # ------------------------------------------------------------------ names of modules

    def global_values(self, module: Module, name: str) -> Values:
        """Values of a module-level name or builtin."""
        key = ("global", module.path, module.name, name)
        return self._solve(key, lambda: self._global_values(module, name))

    def _global_values(self, module: Module, name: str) -> Values:
        match self.names.lookup(module, name):
            case Bound(units=units):
                if name in module_global_writers(module):
                    return None
                return join(*(self._unit_values(module, unit, name) for unit in units))
            case FromStar(local=local) if local:
                return join(*(self.global_values(source, name) for _, _, source in local))
            case Builtin():
                return frozenset({External(f"builtins.{name}")})
            case _:
                return None

    def _unit_values(self, module: Module, unit: Unit, name: str) -> Values:
        match unit.nodes:
            case (ast.ClassDef() as node,):
                return frozenset({ClassValue(module_class(module, unit, node))})
            case (ast.FunctionDef() | ast.AsyncFunctionDef() as node,):
                return self.function_value(node, module_scope(module))
            case (ast.Import() | ast.ImportFrom() as node,):
                return self._import_values(node, module, name)
            case _:
                scope = unit_scope(module, unit)
                binders = scope.binders.get(name, [])
                return join(*(self._unit_binder(module, unit, scope, b, name) for b in binders))

    def _unit_binder(
        self, module: Module, unit: Unit, scope: Scope, binder: Binder, name: str
    ) -> Values:
        match binder.kind:
            case "class":
                node = cast("ast.ClassDef", binder.node)
                return frozenset({ClassValue(nested_class(module_scope(module), unit, node))})
            case "function":
                return self.function_value(cast("_Def", binder.node), module_scope(module))
            case "import":
                return self._import_values(
                    cast("ast.Import | ast.ImportFrom", binder.node), module, name
                )
            case _:
                # names are looked up in the module, not among this unit's own binders
                return self._binder_values(binder, module_scope(module))

    def _import_values(
        self, node: ast.Import | ast.ImportFrom, module: Module, name: str
    ) -> Values:
        parts: list[Values] = []
        for alias in node.names:
            if (alias.asname or alias.name) == name:
                parts.append(self._alias_values(node, module, alias))
            elif (
                isinstance(node, ast.Import)
                and not alias.asname
                and alias.name.split(".")[0] == name
            ):
                top = ast.alias(name)
                parts.append(self._alias_values(node, module, top))
        return join(*parts) if parts else None

    def _alias_values(
        self, node: ast.Import | ast.ImportFrom, module: Module, alias: ast.alias
    ) -> Values:
        match self.names.imported(module, node, alias):
            case ImportedModule(module=found):
                return frozenset({ModuleValue(found, module)})
            case ImportedName(module=source, name=name):
                if source is module and name in module.bindings:
                    return None
                return self.global_values(source, name)
            case ImportedExternal(name=name):
                return frozenset({External(name)})
            case _:
                return None

    # ------------------------------------------------------------------ functions and classes

    def function_value(self, node: _Def, scope: Scope) -> Values:
        """The value that a `def` statement binds, its decorators applied."""
        owner = scope.owner if scope.is_class else None
        function = FunctionInfo(scope.module, node, scope, owner)
        for decorator in node.decorator_list:
            name = decorator_name(decorator)
            if name not in TRANSPARENT_DECORATORS and not self._hands_back(decorator, scope):
                return None
        return frozenset({FunctionValue(function)})

    def _hands_back(self, decorator: ast.expr, scope: Scope) -> bool:
        """Whether the decorator returns the very function that it gets."""
        values = self.evaluate(decorator, scope)
        return bool(values) and all(
            isinstance(v, FunctionValue) and self._handed_back(v.function) == 0 for v in values
        )

    def _handed_back(self, function: FunctionInfo) -> int | None:
        """The position of the parameter that every `return` of the function gives back."""
        table = function.module.source.__dict__.setdefault("_handed_back", {})
        if function.node not in table:
            table[function.node] = _returned_parameter(function.node, self.function_scope(function))
        return table[function.node]

    def function_scope(self, function: FunctionInfo) -> Scope:
        """The scope of a function's body."""
        return function_scope(function.node, function.enclosing, function.owner)

    def bases(self, cls: ClassInfo) -> tuple[Values, ...]:
        """Values of the base class expressions."""
        known = self._bases.get(cls)
        if known is None:
            self._bases[cls] = ()
            known = tuple(
                self.evaluate(b.value if isinstance(b, ast.Subscript) else b, cls.enclosing)
                for b in cls.node.bases
            )
            self._bases[cls] = known
        return known

    def mro(self, cls: ClassInfo) -> tuple[ClassInfo, ...]:
        """Local classes in method resolution order (C3; depth first where that has no answer)."""
        known = self._mros.get(cls)
        if known is None:
            self._mros[cls] = (cls,)
            parents = [
                value.cls
                for values in self.bases(cls)
                for value in sorted(
                    (v for v in values or () if isinstance(v, ClassValue)), key=lambda v: v.cls.key
                )
                if value.cls is not cls
            ]
            if len(parents) == 1:
                known = self._mros[cls] = (cls, *self.mro(parents[0]))
                return known
            known = self._mros[cls] = (
                cls,
                *_merge([list(self.mro(p)) for p in parents] + [parents]),
            )
        return known

    def external_bases(self, cls: ClassInfo) -> tuple[str, ...]:
        """Dotted names of external bases in the whole hierarchy; `?` for an unknown base."""
        known = self._external.get(cls)
        if known is None:
            known = self._external[cls] = self._external_bases(cls)
        return known

    def _external_bases(self, cls: ClassInfo) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for ancestor in self.mro(cls):
            for values in self.bases(ancestor):
                for value in ordered(values):
                    if isinstance(value, External):
                        found.setdefault(value.name)
                    elif not isinstance(value, ClassValue):
                        found.setdefault("?")
                if not values:
                    found.setdefault("?")
        return tuple(found)

    def is_metaclass(self, cls: ClassInfo) -> bool:
        """Whether its instances are classes."""
        return any(b in _METACLASSES for b in self.external_bases(cls))

    def metaclass(self, cls: ClassInfo) -> Values:
        """The metaclass named by the class or an ancestor."""
        for ancestor in self.mro(cls):
            for keyword in ancestor.node.keywords:
                if keyword.arg == "metaclass":
                    return self.evaluate(keyword.value, ancestor.enclosing)
        return NOTHING

    def find_member(self, cls: ClassInfo, name: str) -> tuple[ClassInfo, tuple[Unit, ...]] | None:
        """The first class in resolution order that defines the member, with its statements."""
        for ancestor in self.mro(cls):
            units = ancestor.table.get(name)
            if units:
                return ancestor, units
        return None

    def member_names(self, cls: ClassInfo) -> dict[str, None]:
        """Names that the class and its ancestors define."""
        known = self._member_names.get(cls)
        if known is None:
            known = dict.fromkeys(name for owner in self.mro(cls) for name in owner.table)
            self._member_names[cls] = known
        return known

    # ------------------------------------------------------------------ attributes

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Values:
        if node.attr == "__dict__":
            return builtin("dict", STR)
        return self.member(self.evaluate(node.value, scope), node.attr)

    def member(self, values: Values, name: str) -> Values:
        """Values of an attribute of the values."""
        values = self.closed(values)
        if values is None:
            return None
        parts: list[Values] = []
        for value in values:
            # of several classes, those without the attribute are ruled out by some test
            if len(values) > 1 and isinstance(value, Instance) and self._lacks(value.cls, name):
                continue
            found = self._member_of(value, name)
            if found is None:
                return None
            parts.append(found)
        return join(*parts) if parts else None

    def _lacks(self, cls: ClassInfo, name: str) -> bool:
        return (
            self.find_member(cls, name) is None
            and name not in self.assigned_attributes(cls)
            and self.find_member(cls, "__getattr__") is None
        )

    def assigned_attributes(self, cls: ClassInfo) -> frozenset[str]:
        """Attributes that methods of the class and its ancestors assign to `self`."""
        known = self._assigned.get(cls)
        if known is None:
            known = frozenset(name for owner in self.mro(cls) for name in owner.self_assignments)
            self._assigned[cls] = known
        return known

    def _member_of(self, value: Value, name: str) -> Values:
        match value:
            case ModuleValue(module=module, importer=importer):
                return self.module_member(module, importer, name)
            case ClassValue(cls=cls):
                if name in ("__name__", "__qualname__", "__module__", "__doc__"):
                    return STR
                return self.class_member(cls, name, bound=False)
            case Instance(cls=cls):
                if name == "__class__":
                    return frozenset({ClassValue(cls)})
                return self.instance_member(cls, name)
            case SuperValue(cls=cls):
                for ancestor in self.mro(cls)[1:]:
                    if name in ancestor.table:
                        return self._class_table(ancestor, name, bound=True)
                base = next(iter(self.external_bases(cls)), "builtins.object")
                return None if base == "?" else frozenset({External(f"{base}.{name}")})
            case FunctionValue():
                return None
            case External(name=base):
                return frozenset({External(f"{base}.{name}")})
            case ExternalInstance(name=base) if (
                base.startswith(ABSTRACT) or base == "typing.Callable"
            ):
                return None
            case ExternalInstance(name=base):
                if base in CONTAINERS or base == "contextmanager":
                    return (
                        frozenset({External(f"{base}.{name}")}) if name in _PLAIN_METHODS else None
                    )
                return frozenset({External(f"{base}().{name}")})
            case TupleOf():
                return None

    def module_member(self, module: Module | Namespace, importer: Module, name: str) -> Values:
        """Values of a module's attribute."""
        if isinstance(module, Module) and self.names.defines(module, name):
            return self.global_values(module, name)
        found = self.repository.submodule(module.name, name, importer)
        return frozenset({ModuleValue(found, importer)}) if found else None

    def class_member(self, cls: ClassInfo, name: str, *, bound: bool) -> Values:
        """Values of a class attribute looked up along the resolution order."""
        found = self.find_member(cls, name)
        if found is not None:
            return self._class_table(found[0], name, bound=bound)
        metas = [v.cls for v in ordered(self.metaclass(cls)) if isinstance(v, ClassValue)]
        return join(*(self.instance_member(meta, name) for meta in metas)) if metas else None

    def _class_table(self, cls: ClassInfo, name: str, *, bound: bool) -> Values:
        key = ("class", cls, name, bound)
        return self._solve(key, lambda: self._class_values(cls, name, bound=bound))

    def _class_values(self, cls: ClassInfo, name: str, *, bound: bool) -> Values:
        parts: list[Values] = []
        for binder in cls.scope.binders.get(name, ()):
            if binder.kind == "function" and bound and is_property(binder.node):
                node = cast("_Def", binder.node)
                parts.append(self.returned(FunctionInfo(cls.module, node, cls.scope, cls)))
            else:
                parts.append(self._binder_values(binder, cls.scope))
        return join(*parts) if parts else None

    def instance_member(self, cls: ClassInfo, name: str) -> Values:
        """Values of an instance attribute: assigned in a method, else found on the class."""
        key = ("instance", cls, name)
        return self._solve(key, lambda: self._instance_member(cls, name))

    def _instance_member(self, cls: ClassInfo, name: str) -> Values:
        parts: list[Values] = []
        found = self.find_member(cls, name)
        if found is not None and any(_is_declaration(u.node) for u in found[1]):
            return self._class_table(found[0], name, bound=True)
        for ancestor in self.mro(cls):
            assigned = ancestor.self_assignments.get(name, [])
            declared = [item for item in assigned if isinstance(item[0], ast.AnnAssign)]
            for node, scope in declared or assigned:
                match node:
                    case ast.AnnAssign(annotation=annotation):
                        parts.append(self.annotation(annotation, scope))
                    case ast.AugAssign() | ast.Pass():
                        parts.append(None)
                    case _:
                        parts.append(self.evaluate(node, scope))
        if found is not None:
            parts.append(self._class_table(found[0], name, bound=True))
        return join(*parts) if parts else None

    # ------------------------------------------------------------------ calls

    def _call(self, node: ast.Call, scope: Scope) -> Values:
        match node.func:
            case ast.Name(id="super") if not node.args:
                owner = self._method_owner(scope)
                return frozenset({SuperValue(owner)}) if owner else None
            case ast.Name(id="super"):
                first = self.evaluate(node.args[0], scope)
                owners = [v.cls for v in first or () if isinstance(v, ClassValue)]
                return frozenset({SuperValue(o) for o in owners}) if owners else None
            case ast.Name(id="type") if len(node.args) == 1:
                return self._classes_of(self.evaluate(node.args[0], scope))
            case ast.Name(id="cast") | ast.Attribute(attr="cast") if len(node.args) == 2:
                return self.annotation(node.args[0], scope)
            case ast.Attribute(attr="import_module") | ast.Name(id="import_module"):
                match node.args:
                    case [ast.Constant(value=str(text))] if not text.startswith("."):
                        return self.module_named(text, scope.module)
                    case _:
                        return None
            case ast.Name(id="getattr") if len(node.args) > 1:
                match node.args[1]:
                    case ast.Constant(value=str(attr)):
                        found = self.member(self.evaluate(node.args[0], scope), attr)
                        rest = [self.evaluate(a, scope) for a in node.args[2:]]
                        return join(found, *rest)
                    case _:
                        return None
            case ast.Attribute(value=receiver, attr=attr) if attr in _CONTAINER_RESULTS:
                found = self._container_result(self.evaluate(receiver, scope), attr, node, scope)
                if found is not None:
                    return found
            case _:
                pass
        return self.call_values(self.evaluate(node.func, scope), node.args, scope)

    def _container_result(
        self, receiver: Values, method: str, node: ast.Call, scope: Scope
    ) -> Values:
        """What a method of a builtin container gives; unknown where the receiver is another."""
        parts: list[Values] = []
        for value in ordered(receiver):
            match value:
                case ExternalInstance(name=name, items=items, held=held) if name in _BUILTIN_KINDS:
                    is_table = name in _TABLES
                case _:
                    return None
            match method:
                case "items" if is_table:
                    parts.append(builtin("iterator", frozenset({TupleOf((items, held))})))
                case "keys" if is_table:
                    parts.append(builtin("iterator", items))
                case "values" if is_table:
                    parts.append(builtin("iterator", held))
                case "copy":
                    parts.append(frozenset({value}))
                case "get" | "pop" | "setdefault":
                    parts.append(held if is_table else items)
                    parts += [self.evaluate(argument, scope) for argument in node.args[1:2]]
                case _:
                    return None
        return join(*parts) if parts else None

    @staticmethod
    def _method_owner(scope: Scope) -> ClassInfo | None:
        current: Scope | None = scope
        while current is not None:
            if current.owner is not None:
                return current.owner
            current = current.parent
        return None

    def _classes_of(self, values: Values) -> Values:
        if values is None:
            return None
        found: set[Value] = set()
        for value in values:
            match value:
                case Instance(cls=cls):
                    found.add(ClassValue(cls))
                case ExternalInstance(name=name):
                    found.add(External(name))
                case _:
                    return None
        return frozenset(found)

    def call_values(self, values: Values, args: Sequence[ast.expr], scope: Scope | None) -> Values:
        """What calling any of the values gives."""
        values = self.closed(values)
        if values is None:
            return None
        parts: list[Values] = []
        for value in values:
            match value:
                case ClassValue(cls=cls):
                    parts.append(frozenset({Instance(cls)}) if self._makes_own(cls) else None)
                case FunctionValue(function=function):
                    given = self._handed_back(function) if function.owner is None else None
                    if given is not None and scope is not None and _is_given(args, given):
                        parts.append(self.possible(args[given], scope))
                    else:
                        parts.append(self.returned(function))
                case Instance():
                    parts.append(
                        self.call_values(self.member(frozenset({value}), "__call__"), (), None)
                    )
                case External(name=name):
                    parts.append(self._external_result(name, args, scope))
                case ExternalInstance(name="typing.Callable", items=items):
                    parts.append(items)
                case _:
                    parts.append(None)
        return join(*parts)

    def _makes_own(self, cls: ClassInfo) -> bool:
        """Whether calling the class gives an instance of it: no metaclass decides otherwise."""
        meta = self.metaclass(cls)
        return meta is not None and not any(
            isinstance(m, ClassValue) and self.find_member(m.cls, "__call__") for m in meta
        )

    def _external_result(self, name: str, args: Sequence[ast.expr], scope: Scope | None) -> Values:
        base, _, method = name.rpartition(".")
        if base in ("builtins.str()", "builtins.bytes()"):
            return _text_result(base[:-2], method)
        if base == "builtins":
            return self._builtin_result(method, args, scope)
        if name in _PASS_THROUGH:
            return None
        if base.endswith("()"):
            return frozenset({ExternalInstance(name)})
        if name in CONTAINERS:
            return frozenset({ExternalInstance(name)})
        if _is_closed_module(base) or method[:1].isupper():
            return frozenset({ExternalInstance(name)})
        if base.split(".")[0] in STDLIB or scope is None:
            return None
        # a function of another distribution gives back nothing of ours where it was given nothing
        for argument in args:
            values = self.evaluate(argument, scope)
            if values is None or any(
                not isinstance(v, (External, ExternalInstance)) for v in values
            ):
                return None
        return frozenset({ExternalInstance(name)})

    def _builtin_result(self, name: str, args: Sequence[ast.expr], scope: Scope | None) -> Values:
        if name in ("str", "repr", "format", "ascii", "input", "chr", "hex", "oct", "bin"):
            return STR
        if name in ("len", "int", "hash", "id", "ord", "float", "bool", "complex"):
            return builtin("float" if name in ("float", "complex") else "int")
        if name in ("isinstance", "issubclass", "callable", "hasattr", "any", "all"):
            return BOOL
        if name in ("bytes", "bytearray", "memoryview", "range", "object", "slice"):
            return builtin(name, INT if name != "object" else None)
        if name == "open":
            return frozenset({ExternalInstance("io.open")})
        if name == "print":
            return NOTHING
        if name in ("list", "set", "tuple", "frozenset", "sorted", "iter", "reversed") and scope:
            items = self.items(self.evaluate(args[0], scope)) if args else None
            kind = "list" if name in ("sorted", "iter", "reversed") else name
            return builtin(kind, items if name != "list" or args else None)
        if name == "dict":
            return builtin("dict")
        if name == "enumerate" and scope and args:
            items = self.items(self.evaluate(args[0], scope))
            return builtin("iterator", frozenset({TupleOf((INT, items))}))
        if name == "zip" and scope and args:
            parts = tuple(self.items(self.evaluate(a, scope)) for a in args)
            return builtin("iterator", frozenset({TupleOf(parts)}))
        if name == "next" and scope and args:
            return join(self.items(self.evaluate(args[0], scope)),
                        *(self.evaluate(a, scope) for a in args[1:]))  # fmt: skip
        if name[:1].isupper():
            return builtin(name)
        return None

    def returned(self, function: FunctionInfo) -> Values:
        """What calling the function gives."""
        key = ("return", function.module.path, function.module.name, function.node)
        return self._solve(key, lambda: self._returned(function))

    def _returned(self, function: FunctionInfo) -> Values:
        node = function.node
        scope = self.function_scope(function)
        names = {decorator_name(d) for d in node.decorator_list}
        if node.returns is not None:
            values = self.annotation(node.returns, function.enclosing)
            if values is not None and not _is_callable(values):
                if names & {"contextmanager", "asynccontextmanager"}:
                    return frozenset({ExternalInstance("contextmanager", self.items(values))})
                return values
        else:
            values = None
        returns, yields = _results(node)
        if yields:
            items = join(*(self.evaluate(y, scope) if y is not None else NOTHING for y in yields))
            if names & {"contextmanager", "asynccontextmanager"}:
                return frozenset({ExternalInstance("contextmanager", items)})
            return builtin("iterator", items)
        found: list[Values] = []
        for value in returns:
            result = self.possible(value, scope)
            if result is None:
                return values
            found.append(result)
        return join(*found) if found else values

    # ------------------------------------------------------------------ annotations

    def annotation(self, node: ast.expr | None, scope: Scope) -> Values:
        """Values of a variable annotated so."""
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
                return _declared(self._generic(self.evaluate(base, scope), inner, scope))
            case ast.Name() | ast.Attribute():
                alias = self._type_alias(node, scope)
                if alias is not None:
                    key = ("alias", alias[1].module.path, alias[0])
                    return self._solve(key, lambda: self.annotation(*alias))
                return _declared(self._annotated(self.evaluate(node, scope)))
            case _:
                return None

    def _type_alias(
        self, node: ast.Name | ast.Attribute, scope: Scope
    ) -> tuple[ast.expr, Scope] | None:
        """The expression behind a name such as `TextType = Union[str, "Text"]`, and its scope."""
        match node:
            case ast.Name(id=name) if scope.lookup(name) is None:
                module, bound = scope.module, name
            case ast.Attribute(value=value, attr=bound):
                owners = [
                    v.module
                    for v in self.evaluate(value, scope) or ()
                    if isinstance(v, ModuleValue) and isinstance(v.module, Module)
                ]
                if len(owners) != 1:
                    return None
                module = owners[0]
            case _:
                return None
        for _ in range(8):
            found = self.names.lookup(module, bound)
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
                    target = alias and self.names.imported(module, statement, alias)
                    if not isinstance(target, ImportedName) or target.module is module:
                        return None
                    module, bound = target.module, target.name
                case (ast.If() as branch,) if is_typing_test(branch.test):
                    spelled = _typing_alias(branch, bound)
                    if spelled is not None:
                        return spelled, module_scope(module)
                    statement, alias = _typing_import(branch, bound)
                    target = (
                        self.names.imported(module, statement, alias)
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

    def _annotated(self, values: Values) -> Values:
        if values is None:
            return None
        found: set[Value] = set()
        for value in values:
            match value:
                case ClassValue(cls=cls):
                    if self._is_structural(cls):
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

    def _is_structural(self, cls: ClassInfo) -> bool:
        return any(b.endswith(".Protocol") for b in self.external_bases(cls))

    def _generic(self, base: Values, inner: ast.expr, scope: Scope) -> Values:
        if base is None or len(base) != 1:
            return None
        (value,) = base
        match value:
            case ClassValue(cls=cls):
                return None if self._is_structural(cls) else frozenset({Instance(cls)})
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
            return self._classes_of(self.annotation(elements[0], scope))
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
            return builtin("dict", *(_shallow(self.annotation(e, scope)) for e in elements[:2]))
        return None

    # ------------------------------------------------------------------ operators and displays

    def _bool_op(self, node: ast.BoolOp, scope: Scope) -> Values:
        return join(*(self.possible(v, scope) for v in node.values))

    def _if_exp(self, node: ast.IfExp, scope: Scope) -> Values:
        return join(self.possible(node.body, scope), self.possible(node.orelse, scope))

    def _bin_op(self, node: ast.BinOp, scope: Scope) -> Values:
        if isinstance(node.left, ast.BinOp):  # `a + b + c + …`: each part is asked for once
            return self._solve(("sum", scope, node), lambda: self._operation(node, scope))
        return self._operation(node, scope)

    def _operation(self, node: ast.BinOp, scope: Scope) -> Values:
        left = self.evaluate(node.left, scope)
        if left == STR and isinstance(node.op, ast.Mod):
            return STR
        right = self.evaluate(node.right, scope)
        if left is None or right is None:
            return None
        if len(left) == 1 and isinstance(node.op, ast.Add) and _is_list(left):
            return builtin("list") if left != right else left
        kinds = {v.name for v in left | right if isinstance(v, ExternalInstance)}
        if len(kinds) == len(left | right) and kinds:
            if kinds <= {"builtins.str"} or kinds <= _NUMBERS:
                return left | right
            if kinds <= {"builtins.str", "builtins.int"} and isinstance(node.op, ast.Mult):
                return STR
        return None

    def _compare(self, node: ast.Compare, scope: Scope) -> Values:
        if all(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops):
            return BOOL
        return None

    def _unary(self, node: ast.UnaryOp, scope: Scope) -> Values:
        if isinstance(node.op, ast.Not):
            return BOOL
        values = self.evaluate(node.operand, scope)
        return values if values in (INT, FLOAT) else None

    def _subscript(self, node: ast.Subscript, scope: Scope) -> Values:
        values = self.evaluate(node.value, scope)
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
                case ExternalInstance(name="builtins.dict", held=held), _:
                    parts.append(held)
                case Instance(), _:
                    parts.append(self.call_member(frozenset({value}), "__getitem__"))
                case ClassValue(), _:
                    parts.append(frozenset({value}))
                case External(name="sys.modules"), ast.Name(id="__name__"):
                    parts.append(frozenset({ModuleValue(scope.module, scope.module)}))
                case External(name="sys.modules"), ast.Constant(value=str(text)):
                    parts.append(self.module_named(text, scope.module))
                case ExternalInstance(name=name), _ if _is_closed(name):
                    parts.append(frozenset({ExternalInstance(name)}))
                case _:
                    return None
        return join(*parts)

    def module_named(self, name: str, importer: Module) -> Values:
        """The module of the repository with that absolute name, or an external one."""
        found = self.repository.find_module(name, importer)
        return frozenset({ModuleValue(found, importer) if found else External(name)})

    def _tuple(self, node: ast.Tuple, scope: Scope) -> Values:
        if len(node.elts) > 8 or any(isinstance(e, ast.Starred) for e in node.elts):
            return builtin("tuple")
        return frozenset({TupleOf(tuple(_shallow(self.evaluate(e, scope)) for e in node.elts))})

    def _list(self, node: ast.List | ast.Set, scope: Scope) -> Values:
        return builtin("list" if isinstance(node, ast.List) else "set")

    def _dict(self, node: ast.Dict | ast.DictComp, scope: Scope) -> Values:
        return builtin("dict")

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, scope: Scope
    ) -> Values:
        inner = comprehension_scope(node, scope)
        kinds = {ast.ListComp: "list", ast.SetComp: "set", ast.GeneratorExp: "iterator"}
        return builtin(kinds[type(node)], _shallow(self.evaluate(node.elt, inner)))

    def _text(self, node: ast.expr, scope: Scope) -> Values:
        return STR

    def _lambda(self, node: ast.Lambda, scope: Scope) -> Values:
        return frozenset({ExternalInstance("types.FunctionType")})

    def _named(self, node: ast.NamedExpr, scope: Scope) -> Values:
        return self.possible(node.value, scope)

    def _awaited(self, node: ast.Await, scope: Scope) -> Values:
        return self.possible(node.value, scope)

    _EVALUATORS: ClassVar[dict[type[object], Callable[[Inference, Any, Scope], Values]]] = {
        ast.Constant: _constant,
        ast.Name: _name,
        ast.Attribute: _attribute,
        ast.Call: _call,
        ast.BoolOp: _bool_op,
        ast.IfExp: _if_exp,
        ast.BinOp: _bin_op,
        ast.Compare: _compare,
        ast.UnaryOp: _unary,
        ast.Subscript: _subscript,
        ast.Tuple: _tuple,
        ast.List: _list,
        ast.Set: _list,
        ast.Dict: _dict,
        ast.DictComp: _dict,
        ast.ListComp: _comprehension,
        ast.SetComp: _comprehension,
        ast.GeneratorExp: _comprehension,
        ast.JoinedStr: _text,
        ast.Lambda: _lambda,
        ast.NamedExpr: _named,
        ast.Await: _awaited,
    }


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


def _is_list(values: frozenset[Value]) -> bool:
    return all(
        isinstance(v, ExternalInstance) and v.name in ("builtins.list", "builtins.tuple")
        for v in values
    )


def _declared(values: Values) -> Values:
    """The values, marked as no more than declared where a class of ours may derive from theirs."""
    if values is None:
        return None
    return frozenset(
        replace(v, is_declared=True)
        if isinstance(v, ExternalInstance) and v.name not in _SCALARS
        and v.name != "typing.Callable" and not v.name.startswith(ABSTRACT)
        else v
        for v in values
    )  # fmt: skip


def _is_bare_final(node: ast.expr | None) -> bool:
    """Whether an annotation leaves the type to the value."""
    return isinstance(node, (ast.Name, ast.Attribute)) and (
        ast.unparse(node).rpartition(".")[2] in ("Final", "ClassVar")
    )


def _is_declaration(node: ast.AST) -> bool:
    return isinstance(node, ast.AnnAssign)


def _shallow(values: Values) -> Values:
    # containers inside containers lose their items, so that the lattice stays finite
    if values is None:
        return None
    return frozenset(
        ExternalInstance(v.name) if isinstance(v, ExternalInstance)
        else ExternalInstance("builtins.tuple") if isinstance(v, TupleOf) else v
        for v in values
    )  # fmt: skip


def _is_callable(values: Values) -> bool:
    """Whether a type says no more than that it can be called."""
    return values is not None and all(
        isinstance(v, ExternalInstance) and v.name == "typing.Callable" for v in values
    )


def _is_closed(name: str) -> bool:
    return "()" in name or name == "?" or _is_closed_module(name.rpartition(".")[0])


def _is_closed_module(name: str) -> bool:
    top = name.split(".", maxsplit=1)[0]
    return (top in STDLIB and top not in OPEN_MODULES) or top in ("numpy", "pandas")


def _text_result(base: str, method: str) -> Values:
    for kind, methods in STR_METHODS.items():
        if method in methods:
            text = STR if base.endswith("str") else BYTES
            if kind == "str":
                return text
            if kind == "list":
                return builtin("list", text)
            return builtin(kind)
    if method in ("partition", "rpartition"):
        return frozenset({TupleOf((STR, STR, STR))})
    if method == "encode":
        return BYTES
    return STR if method == "decode" else None


def decorator_name(node: ast.expr) -> str:
    """The last part of a decorator's name: `wraps` for `@functools.wraps(f)`."""
    while isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def is_property(node: ast.AST) -> bool:
    """Whether a `def` is a property: reading it calls it."""
    return any(
        decorator_name(d) in ("property", "cached_property", "setter", "getter", "deleter")
        for d in getattr(node, "decorator_list", ())
    )


def _merge(sequences: list[list[ClassInfo]]) -> Iterator[ClassInfo]:
    # C3 linearisation (Barrett et al., OOPSLA 1996)
    while sequences := [s for s in sequences if s]:
        for sequence in sequences:
            head = sequence[0]
            if not any(head in other[1:] for other in sequences):
                break
        else:
            head = sequences[0][0]
        yield head
        sequences = [[c for c in s if c is not head] for s in sequences]


def _results(
    node: ast.FunctionDef | ast.AsyncFunctionDef,
) -> tuple[list[ast.expr], list[ast.expr | None]]:
    """Expressions that the function returns, and those that it yields."""
    returns: list[ast.expr] = []
    yields: list[ast.expr | None] = []
    stack: list[ast.AST] = list(node.body)
    while stack:
        item = stack.pop()
        match item:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Lambda():
                continue
            case ast.Return(value=ast.expr() as value):
                returns.append(value)
            case ast.Yield(value=value):
                yields.append(value)
            case ast.YieldFrom(value=value):
                yields.append(ast.Subscript(value, ast.Constant(0)))
            case _:
                pass
        stack.extend(children(item))
    return returns, yields


def _is_given(args: Sequence[ast.expr], position: int) -> bool:
    return position < len(args) and not any(
        isinstance(argument, ast.Starred) for argument in args[: position + 1]
    )


def _returned_parameter(node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> int | None:
    returns, yields = _results(node)
    names = {value.id if isinstance(value, ast.Name) else "" for value in returns}
    order = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args)]
    if yields or len(names) != 1 or isinstance(node, ast.AsyncFunctionDef):
        return None
    (name,) = names
    if name not in order or len(scope.binders[name]) != 1 or node.decorator_list:
        return None
    return order.index(name)


def module_global_writers(module: Module) -> dict[str, tuple[ast.AST, ...]]:
    """Name → the functions that declare it `global` (and so may rebind it)."""
    table = module.__dict__.get("_global_writers")
    if table is None:
        found: dict[str, list[ast.AST]] = {}
        if "global " in module.source.text:
            for node in ast.walk(module.source.tree):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    for item in ast.walk(node):
                        if isinstance(item, ast.Global):
                            for name in item.names:
                                found.setdefault(name, []).append(node)
        table = module.__dict__["_global_writers"] = {k: tuple(v) for k, v in found.items()}
    return table


TRANSPARENT_DECORATORS = frozenset(
    "staticmethod classmethod property cached_property lru_cache cache abstractmethod overload "
    "final override wraps contextmanager asynccontextmanager deprecated setter getter deleter "
    "no_type_check typechecked profile njit jit".split()
)
_ABSTRACT_GENERICS = frozenset(
    "Sequence Iterable Iterator AbstractSet MutableSequence Collection Generator AsyncIterator "
    "AsyncIterable AsyncGenerator MutableSet Reversible Mapping MutableMapping".split()
)
_PLAIN_TYPES = frozenset(
    {"Pattern", "Match", "NoReturn", "Never", "LiteralString",
     "Hashable", "Sized", "SupportsInt", "SupportsFloat"}
)  # fmt: skip
_TABLES = frozenset({"builtins.dict", "collections.OrderedDict", "collections.defaultdict"})
_BUILTIN_KINDS = _TABLES | {"builtins.list", "builtins.set", "collections.deque"}
_CONTAINER_RESULTS = frozenset({"items", "keys", "values", "copy", "get", "pop", "setdefault"})
_METACLASSES = frozenset({"builtins.type", "abc.ABCMeta", "enum.EnumMeta", "enum.EnumType"})
_OPAQUE_ANNOTATIONS = frozenset(
    {"builtins.object", "builtins.type", "types.ModuleType", "builtins.list", "builtins.tuple",
     "builtins.dict", "builtins.set"}
)  # fmt: skip
_PLAIN_METHODS = frozenset(
    "append extend insert remove clear sort reverse add discard update keys values items index "
    "count copy difference union intersection issubset issuperset".split()
)
