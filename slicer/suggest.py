"""Classes that a parameter of the target may take and that the slice does not hold.

They are offered, not kept: the means are weaker than those of the closure. Call sites, subclasses
and uses of members are searched in the whole repository, tests included, by `Mentions`.
"""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .closure import Closure
from .definitions import (
    ClassInfo,
    Scope,
    function_scope,
    module_class,
    module_scope,
    nested_class,
)
from .errors import SourceError
from .infer import Inference
from .mentions import MAX_PARSED, CallSite, Mentions, top_classes
from .model import SuggestedType
from .names import Bound, ImportedName
from .repository import Module
from .source import decode
from .units import Unit
from .values import (
    NOTHING,
    ClassValue,
    ExternalInstance,
    Instance,
    ModuleValue,
    SuperValue,
    TupleOf,
    Values,
)

if TYPE_CHECKING:
    from .slicing import Goal

MAX_SUBCLASSES = 5
MAX_USERS = 3
MAX_CALLS = 60
MAX_SUGGESTED = 10

# a parameter, or a variable, annotated with something that may be a class
_ANNOTATED = re.compile(r"(?<=[\s(,*])([a-z_]\w*)[ \t]*:[ \t]*[\w\"'.\[]*[A-Z]")
_HANDED: tuple[tuple[tuple[type, ...], str], ...] = (
    ((Instance,), "passed by a call"),
    ((ClassValue,), "the class itself is passed by a call"),
    ((TupleOf, ExternalInstance), "inside what a call passes"),
)
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_ORDINARY = frozenset(
    name
    for kind in (str, bytes, int, float, complex, list, tuple, dict, set, frozenset, type, slice,
                 BaseException, io.StringIO, io.FileIO, type(len), type(_ for _ in ()))
    for name in dir(kind)
)  # fmt: skip
"""Attributes that say nothing about the class: instances of builtin classes have them."""


@dataclass(frozen=True, slots=True, eq=False)
class _Callable:
    """A target as its callers see it."""

    module: Module
    node: _Function
    enclosing: Scope
    owner: ClassInfo | None
    name: str
    """What call sites call: of a constructor, the class."""

    @property
    def kinds(self) -> frozenset[str]:
        """Last names of its decorators."""
        return frozenset(
            getattr(decorator, "id", "") or getattr(decorator, "attr", "")
            for decorator in self.node.decorator_list
        )

    @property
    def takes_self(self) -> bool:
        """Whether Python passes the first argument by itself."""
        return self.owner is not None and "staticmethod" not in self.kinds

    @property
    def positional(self) -> list[ast.arg]:
        """Parameters in the order of positional arguments, `self` included."""
        return [*self.node.args.posonlyargs, *self.node.args.args]


@dataclass(slots=True, eq=False)
class _Parameter:
    """A parameter, and what was found for it."""

    arg: ast.arg
    default: ast.expr | None = None
    is_open: bool = False
    """Whether neither annotation nor default say which classes it may have."""
    found: dict[ClassInfo, str] = field(default_factory=dict[ClassInfo, str])

    def add(self, cls: ClassInfo, why: str, module: Module, line: int) -> None:
        """Record a class; the first reason stands."""
        self.found.setdefault(cls, f"{why} ({module.path}:{line})")


def suggested_types(closure: Closure, goals: Sequence[Goal]) -> tuple[SuggestedType, ...]:
    """Classes that fit the parameters of the goals, with the means by which each was found."""
    finder = _finder(closure)
    found: dict[tuple[str, str, str], SuggestedType] = {}
    for goal in goals:
        for function in _callables(closure, goal):
            for parameter in finder.parameters(function):
                offered = [c for c in parameter.found if _is_offered(closure, c)]
                for cls in offered[:MAX_SUGGESTED]:
                    name, path = parameter.arg.arg, cls.module.path
                    item = SuggestedType(name, path, cls.qualname, parameter.found[cls])
                    found.setdefault((name, path, cls.qualname), item)
    return tuple(found.values())


def _finder(closure: Closure) -> _Finder:
    """The repository's finder, made once."""
    table = closure.names.repository.__dict__
    known: _Finder | None = table.get("_type_finder")
    if known is None:
        known = table["_type_finder"] = _Finder(closure.inference)
    return known


def _is_offered(closure: Closure, cls: ClassInfo) -> bool:
    """Whether the class can be named as a definition, and the slice does not hold it."""
    scope: Scope | None = cls.enclosing
    while scope is not None:
        if not isinstance(scope.node, (ast.Module, ast.ClassDef)):
            return False
        scope = scope.parent
    kept = closure.modules.get(cls.module.name)
    is_top = cls.node in cls.unit.nodes
    return cls not in closure.classes and not (is_top and kept and cls.unit.index in kept.units)


# ------------------------------------------------------------------------ targets


def _callables(closure: Closure, goal: Goal) -> Iterator[_Callable]:
    """The functions behind a goal; of a class, its constructor."""
    module = goal.module
    for unit in goal.units:
        for node in unit.nodes:
            if getattr(node, "name", None) != goal.outer:
                continue
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield _Callable(module, node, module_scope(module), None, node.name)
            elif isinstance(node, ast.ClassDef):
                cls = module_class(module, unit, node)
                yield from _methods(closure.inference, cls, goal.member, unit)


def _methods(
    inference: Inference, cls: ClassInfo, member: tuple[str, ...], unit: Unit
) -> Iterator[_Callable]:
    if not member:
        found = inference.find_member(cls, "__init__")
        owner, units = found or (cls, ())
    else:
        owner, units = cls, cls.table.get(member[0], ())
    for part in units:
        for node in part.nodes:
            if isinstance(node, ast.ClassDef) and member:
                inner = nested_class(cls.scope, unit, node)
                yield from _methods(inference, inner, member[1:], unit)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and len(member) <= 1:
                name = cls.node.name if node.name == "__init__" else node.name
                yield _Callable(owner.module, node, owner.scope, owner, name)


# ------------------------------------------------------------------------ means


class _Finder:
    """The search in one repository; its caches serve all slices."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self.names = inference.names
        self.repository = inference.repository
        # what is asked at call sites is answered apart from what slices are made of
        self.elsewhere = Inference(self.names)
        self.mentions = Mentions(self.repository)
        self._subclasses: dict[ClassInfo, tuple[ClassInfo, ...]] = {}
        self._annotated: dict[str, dict[str, list[tuple[ast.expr, Scope]]]] = {}
        self._folders: dict[str, dict[str, list[str]]] = {}

    def parameters(self, function: _Callable) -> list[_Parameter]:
        """The function's parameters, with the classes that fit each."""
        found = _parameters(function)
        for parameter in found:
            self._from_signature(parameter, function)
        if any(p.is_open for p in found) and _has_call_sites(function):
            self._from_calls({p.arg.arg: p for p in found if p.is_open}, function)
        for parameter in found:
            if parameter.is_open and not parameter.found:
                self._from_names(parameter, function)
        open_names = [p.arg.arg for p in found if p.is_open and not p.found]
        uses = _attributes(function.node, open_names) if open_names and self.mentions.paths else {}
        for parameter in found:
            if parameter.arg.arg in uses:
                self._from_body(parameter, function, uses[parameter.arg.arg])
        return found

    def _from_signature(self, parameter: _Parameter, function: _Callable) -> None:
        arg, module = parameter.arg, function.module
        parameter.is_open = parameter.default is None or _is_none(parameter.default)
        if arg.annotation is not None:
            values = self.inference.annotation(arg.annotation, function.enclosing)
            parameter.is_open = values is None
            self._from_annotation(parameter, arg.annotation, function)
        elif parameter.default is not None:
            for cls in _classes(self.inference.evaluate(parameter.default, function.enclosing)):
                parameter.add(cls, "its default value", module, parameter.default.lineno)
        scope = function_scope(function.node, function.enclosing, function.owner)
        for test in scope.narrowed.get(arg.arg, ()):
            for part in _named(test):
                for cls in _classes(self.inference.evaluate(part, scope)):
                    parameter.add(cls, "tested for in the body", module, test.lineno)

    def _from_annotation(
        self, parameter: _Parameter, annotation: ast.expr, function: _Callable
    ) -> None:
        module, line = function.module, parameter.arg.lineno
        for part in _named(annotation):
            for cls in self._annotation_classes(part, function.enclosing, function.node):
                if self._is_protocol(cls):
                    for other in self._implementing(cls):
                        text = f"has the members of {cls.qualname}, which the annotation names"
                        parameter.add(other, text, module, line)
                    continue
                parameter.add(cls, "named by the annotation", module, line)
                for other in self._below(cls):
                    text = f"subclass of {cls.qualname}, which the annotation names"
                    parameter.add(other, text, module, line)

    def _annotation_classes(
        self, part: ast.expr, scope: Scope, node: _Function | None = None
    ) -> list[ClassInfo]:
        """Classes behind a name in an annotation: itself, an alias, or a type variable's bounds."""
        found = list(_classes(self.inference.evaluate(part, scope)))
        found = found or list(_classes(self.inference.annotation(part, scope)))
        if not found and isinstance(part, ast.Name):
            for bound, place in self._type_variable(part.id, scope, node):
                for inner in _named(bound):
                    found += _classes(self.inference.evaluate(inner, place))
        return found

    def _type_variable(
        self, name: str, scope: Scope, node: _Function | None
    ) -> Iterator[tuple[ast.expr, Scope]]:
        for parameter in getattr(node, "type_params", ()):
            if parameter.name == name and getattr(parameter, "bound", None) is not None:
                yield parameter.bound, scope
        for module, unit in self._definitions(scope.module, name):
            match unit.nodes:
                case (ast.Assign(value=ast.Call(args=[_, *bounds], keywords=keywords) as call),):
                    func = call.func
                    if "TypeVar" in (getattr(func, "id", ""), getattr(func, "attr", "")):
                        bounds += [k.value for k in keywords if k.arg == "bound"]
                        yield from ((bound, module_scope(module)) for bound in bounds)
                case _:
                    continue

    def _definitions(self, module: Module, name: str) -> Iterator[tuple[Module, Unit]]:
        """Statements that bind a global name, imports followed."""
        for _ in range(8):
            found = self.names.lookup(module, name)
            if not isinstance(found, Bound):
                return
            unit = found.units[-1]
            node = unit.node
            alias = None
            if unit.kind == "import" and isinstance(node, ast.ImportFrom):
                alias = next((a for a in node.names if (a.asname or a.name) == name), None)
                target = alias and self.names.imported(module, node, alias)
                if not isinstance(target, ImportedName):
                    return
                module, name = target.module, target.name
                continue
            yield from ((module, unit) for unit in found.units)
            return

    # ------------------------------------------------------------------ classes that fit a class

    def _is_protocol(self, cls: ClassInfo) -> bool:
        return any(ast.unparse(base).split("[")[0].endswith("Protocol") for base in cls.node.bases)

    def _below(self, cls: ClassInfo) -> tuple[ClassInfo, ...]:
        """All subclasses in the repository, where there are few."""
        known = self._subclasses.get(cls)
        if known is None:
            known = self._subclasses[cls] = self._find_below(cls)
        return known

    def _find_below(self, cls: ClassInfo) -> tuple[ClassInfo, ...]:
        found: dict[ClassInfo, None] = {}
        queue = [cls]
        while queue:
            base = queue.pop(0)
            for module in self.mentions.modules(self.mentions.files_with_base(base.node.name)):
                for other in top_classes(module):
                    if other not in found and other is not cls and self._is_base(base, other):
                        found[other] = None
                        queue.append(other)
            if len(found) > MAX_SUBCLASSES:
                return ()
        return tuple(found)

    def _is_base(self, base: ClassInfo, cls: ClassInfo) -> bool:
        return any(
            isinstance(value, ClassValue) and value.cls.node is base.node
            for node in cls.node.bases
            for value in self._evaluate(
                node.value if isinstance(node, ast.Subscript) else node, cls.enclosing
            ) or ()
        )  # fmt: skip

    def _implementing(self, protocol: ClassInfo) -> list[ClassInfo]:
        names = [name for name in protocol.table if not name.startswith("__")]
        found = [
            cls for cls in self._with_members(names, names)
            if cls is not protocol and not self._is_protocol(cls)
        ]  # fmt: skip
        return found if len(found) <= MAX_SUBCLASSES else []

    def _with_members(self, distinctive: list[str], names: list[str]) -> list[ClassInfo]:
        """Classes that have all of the members, in files that mention the distinctive ones."""
        paths = self.mentions.files(distinctive)
        if len(paths) > MAX_PARSED:
            return []  # what so many files mention tells nothing
        return [
            cls
            for module in self.mentions.modules(paths)
            for cls in top_classes(module)
            if all(self._has(cls, name) for name in names)
        ]

    def _has(self, cls: ClassInfo, name: str) -> bool:
        try:
            return any(
                name in owner.table or name in owner.self_assignments
                for owner in self.elsewhere.mro(cls)
            )
        except SourceError:
            self.elsewhere = Inference(self.names)
            return False

    # ------------------------------------------------------------------ call sites

    def _from_calls(self, parameters: dict[str, _Parameter], function: _Callable) -> None:
        calls = 0
        for site in self.mentions.calls(function.name):
            given = self._refers(site, function)
            if given is None:
                continue
            calls += 1
            if calls > MAX_CALLS:
                return
            for name, expression in _arguments(site.call, function, given):
                if name in parameters:
                    for cls, text in self._passed(expression, site.scope):
                        parameters[name].add(cls, text, site.module, expression.lineno)

    def _evaluate(self, node: ast.expr, scope: Scope) -> Values:
        try:
            return self.elsewhere.evaluate(node, scope)
        except (SourceError, RecursionError):
            self.elsewhere = Inference(self.names)  # it may hold half an answer
            return None

    def _refers(self, site: CallSite, function: _Callable) -> int | None:
        """How many parameters a call of the function passes by itself; `None` for other callees."""
        func = site.call.func
        if isinstance(func, ast.Name) and function.owner and function.node.name != "__init__":
            return None
        scope = site.scope
        if function.node.name == "__init__":
            for value in self._evaluate(func, scope) or ():
                if isinstance(value, ClassValue) and self._finds(value.cls, function):
                    return 1
        if isinstance(func, ast.Name):
            is_called = function.owner is None and self._is_global(func.id, scope, function)
            return 0 if is_called else None
        if not isinstance(func, ast.Attribute) or func.attr != function.node.name:
            return None
        for value in self._evaluate(func.value, scope) or ():
            match value:
                case ModuleValue(module=Module() as module) if function.owner is None:
                    if self._binds(module, func.attr, function):
                        return 0
                case Instance(cls=cls) | SuperValue(cls=cls) if self._finds(cls, function):
                    return int(function.takes_self)
                case ClassValue(cls=cls) if self._finds(cls, function):
                    return int("classmethod" in function.kinds)
                case _:
                    continue
        return None

    def _finds(self, cls: ClassInfo, function: _Callable) -> bool:
        found = self.elsewhere.find_member(cls, function.node.name)
        return found is not None and any(function.node in unit.nodes for unit in found[1])

    def _is_global(self, name: str, scope: Scope, function: _Callable) -> bool:
        holder = scope.lookup(name)
        if holder is None:
            return self._binds(scope.module, name, function)
        for binder in holder.binders[name]:
            if binder.kind == "import" and isinstance(binder.node, ast.ImportFrom):
                for alias in binder.node.names:
                    if (alias.asname or alias.name) == name:
                        target = self.names.imported(scope.module, binder.node, alias)
                        if isinstance(target, ImportedName):
                            return self._binds(target.module, target.name, function)
        return False

    def _binds(self, module: Module, name: str, function: _Callable) -> bool:
        try:
            return any(function.node in unit.nodes for _, unit in self._definitions(module, name))
        except SourceError:
            return False

    def _passed(self, node: ast.expr, scope: Scope) -> Iterator[tuple[ClassInfo, str]]:
        """Classes of an argument, or of what the argument holds."""
        match node:
            case ast.List(elts=elements) | ast.Set(elts=elements) | ast.Tuple(elts=elements):
                for element in elements[:8]:
                    for cls, _ in self._passed(element, scope):
                        yield cls, "inside what a call passes"
            case ast.Dict(values=elements):
                for element in elements[:8]:
                    for cls, _ in self._passed(element, scope):
                        yield cls, "inside what a call passes"
            case ast.IfExp(body=body, orelse=orelse):
                yield from self._passed(body, scope)
                yield from self._passed(orelse, scope)
            case ast.Constant() | ast.JoinedStr():
                return
            case _:
                values = self._evaluate(node, scope) or NOTHING
                for kind, text in _HANDED:
                    for cls in _classes(frozenset(v for v in values if isinstance(v, kind))):
                        yield cls, text

    # ------------------------------------------------------------------ names and uses

    def _from_names(self, parameter: _Parameter, function: _Callable) -> None:
        """What other functions of the package annotate a parameter of the same name with."""
        name = parameter.arg.arg
        found: dict[ClassInfo, tuple[Module, int]] = {}
        for module in self._annotating(name, function.module):
            for annotation, scope in self._annotations(module).get(name, ()):
                parts = _named(annotation)
                classes = [cls for part in parts for cls in self._annotation_classes(part, scope)]
                if not classes:
                    return  # the name means different things
                for cls in classes:
                    found.setdefault(cls, (module, annotation.lineno))
        if len(found) <= 2:
            for cls, (module, line) in found.items():
                text = f"another function of the package annotates {name} so"
                parameter.add(cls, text, module, line)

    def _annotating(self, name: str, module: Module) -> list[Module]:
        """Modules of the package that may annotate a parameter of that name; at most three."""
        folder = module.path.rpartition("/")[0]
        files = self._folders.get(folder)
        if files is None:
            listed = sorted(n for n in self.repository.listing(folder) if n.endswith(".py"))
            paths = [f"{folder}/{file}" if folder else file for file in listed[:MAX_PARSED]]
            files = self._folders[folder] = {}
            for path in paths:
                for annotated in set(_ANNOTATED.findall(self._text(path))):
                    files.setdefault(annotated, []).append(path)
        return list(self.mentions.modules(files.get(name, ())[:3]))

    def _text(self, path: str) -> str:
        try:
            return decode(self.repository.read_data(path), path)
        except SourceError:
            return ""

    def _annotations(self, module: Module) -> dict[str, list[tuple[ast.expr, Scope]]]:
        """Parameter name → annotations of the functions and methods at the top level."""
        table = self._annotated.get(module.path)
        if table is None:
            table = self._annotated[module.path] = {}
            for node, scope in _top_functions(module):
                for arg in _args(node):
                    if arg.annotation is not None:
                        table.setdefault(arg.arg, []).append((arg.annotation, scope))
        return table

    def _from_body(self, parameter: _Parameter, function: _Callable, used: dict[str, None]) -> None:
        """Classes that have all members which the body asks of the parameter."""
        distinctive = [u for u in used if u not in _ORDINARY and not u.startswith("__")]
        if len(distinctive) < 2:
            return
        found = self._with_members(distinctive, list(used))
        roots = [c for c in found if not any(b in found for b in self.elsewhere.mro(c)[1:])]
        if len(roots) <= MAX_USERS:
            for cls in roots:
                text = f"has {', '.join(sorted(distinctive))}, which the body uses"
                parameter.add(cls, text, function.module, parameter.arg.lineno)


# ------------------------------------------------------------------------ syntax


def _args(node: _Function) -> list[ast.arg]:
    args = node.args
    every = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
    return [arg for arg in every if arg is not None]


def _parameters(function: _Callable) -> list[_Parameter]:
    """The parameters that callers pass."""
    args = function.node.args
    positional = function.positional
    defaults = dict(zip(reversed(positional), reversed(args.defaults), strict=False))
    defaults.update(
        (a, d) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d is not None
    )
    skipped = positional[:1] if function.takes_self else []
    return [_Parameter(a, defaults.get(a)) for a in _args(function.node) if a not in skipped]


def _has_call_sites(function: _Callable) -> bool:
    # operators and hooks are called by syntax, properties are not called
    name = function.node.name
    return name == "__init__" or not (name.startswith("__") and name.endswith("__"))


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and (node.value is None or node.value is ...)


def _named(node: ast.expr) -> Iterator[ast.expr]:
    """Names in an annotation, in strings too."""
    match node:
        case ast.Constant(value=str(text)):
            try:
                yield from _named(ast.parse(text.strip(), mode="eval").body)
            except (SyntaxError, ValueError):
                return
        case ast.Name() | ast.Attribute():
            yield node
        case _:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    yield from _named(child)


def _arguments(call: ast.Call, function: _Callable, given: int) -> Iterator[tuple[str, ast.expr]]:
    """Parameter name and expression of each argument whose parameter is certain."""
    names = [arg.arg for arg in function.positional]
    for index, argument in enumerate(call.args, given):
        if isinstance(argument, ast.Starred):
            break
        if index < len(names):
            yield names[index], argument
        elif function.node.args.vararg:
            yield function.node.args.vararg.arg, argument
    known = {arg.arg for arg in _args(function.node)}
    for keyword in call.keywords:
        if keyword.arg in known:
            yield keyword.arg, keyword.value
        elif keyword.arg and function.node.args.kwarg:
            yield function.node.args.kwarg.arg, keyword.value


def _attributes(node: _Function, names: Sequence[str]) -> dict[str, dict[str, None]]:
    """Parameter → attributes that are read from it; without those that are bound again."""
    found: dict[str, dict[str, None]] = {name: {} for name in names}
    for item in ast.walk(node):
        match item:
            case ast.Attribute(value=ast.Name(id=name), attr=attr, ctx=ast.Load()) if name in found:
                found[name].setdefault(attr)
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if name in found:
                del found[name]
            case _:
                continue
    return found


def _top_functions(module: Module) -> Iterator[tuple[_Function, Scope]]:
    for unit in module.units:
        for node in unit.nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield node, module_scope(module)
    for cls in top_classes(module):
        for function in cls.functions:
            yield function, cls.scope


# ------------------------------------------------------------------------ values


def _classes(values: Values) -> Iterator[ClassInfo]:
    """Classes among the values and inside the containers among them."""
    found: dict[ClassInfo, None] = {}
    stack = list(values or ())
    while stack:
        match stack.pop():
            case Instance(cls=cls) | ClassValue(cls=cls):
                found[cls] = None
            case TupleOf(parts=parts):
                stack.extend(value for part in parts for value in part or ())
            case ExternalInstance(items=items):
                stack.extend(items or ())
            case _:
                continue
    yield from sorted(found, key=lambda cls: cls.key)
