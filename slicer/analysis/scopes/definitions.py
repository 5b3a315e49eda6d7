"""Classes and functions as the analysis sees them, with the scopes of their names.

The vocabulary follows LibCST and pyflakes: a *scope* holds *bindings*. A `Binder` describes one
binding of a name in a function; its expression says which values the name may hold.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, cast

from ...repo.repository import Module
from ...repo.source import Source
from ...repo.units import Unit, executed_names, overruled, split_units
from ...syntax.memo import memo
from ...syntax.nodes import children, walk
from ...syntax.scopes import bound_by, declared_in, imported_as, own_nodes

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
ComprehensionNode = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
Assigned = ast.expr | ast.AnnAssign | ast.AugAssign | ast.Pass
BinderKind = Literal[
    "parameter", "rest", "keywords", "value", "unpack", "item", "enter", "import", "function",
    "class", "exception", "group",
    "annotated", "opaque",
]  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Binder:
    """One binding of a name in a function, comprehension or class scope."""

    kind: BinderKind
    node: ast.AST
    value: ast.expr | None = None
    """The expression that is assigned, iterated or entered, or the annotation."""
    path: tuple[int, ...] = ()
    """Path of the name in the unpacked value; -1 for a starred element."""


@dataclass(eq=False)
class Scope:
    """A function, lambda, comprehension or class scope; modules have `Module.bindings`."""

    module: Module
    node: ast.AST
    parent: Scope | None
    """The enclosing scope; `None` for a module's. Lookups from inner scopes skip class scopes."""
    is_class: bool = False
    owner: ClassInfo | None = None
    """The class whose method or body this is."""
    binders: dict[str, list[Binder]] = field(default_factory=dict[str, list[Binder]])
    module_names: set[str] = field(default_factory=set[str])
    """Names declared `global` here."""
    outer_names: set[str] = field(default_factory=set[str])
    """Names declared `nonlocal` here."""
    narrowed: dict[str, list[ast.expr]] = field(default_factory=dict[str, list[ast.expr]])
    """Name → classes it is tested against with `isinstance` in this scope."""

    def bind(self, name: str, binder: Binder) -> None:
        """Record that the name is bound here, unless it is declared as another scope's."""
        if name in self.module_names or name in self.outer_names:
            return
        self.binders.setdefault(name, []).append(binder)

    def lookup(self, name: str) -> Scope | None:
        """Return the scope that binds the name as seen here; `None` for a global or builtin."""
        scope: Scope | None = self
        first = True
        while scope is not None:
            if name in scope.module_names:
                return None
            if name in scope.binders and (first or not scope.is_class):
                return scope
            scope = scope.parent
            first = False
        return None


@dataclass(eq=False)
class ClassInfo:
    """A class of the repository."""

    module: Module
    node: ast.ClassDef
    qualname: str
    unit: Unit
    """The top-level unit that contains it."""
    enclosing: Scope
    """Scope of the enclosing module, function or class."""
    is_prunable: bool
    """Whether members can be dropped: a top-level class whose body has its own lines."""

    @cached_property
    def members(self) -> tuple[Unit, ...]:
        """Statements of the body, in order."""
        return split_units(self.node.body, self.module.source)

    @cached_property
    def table(self) -> dict[str, tuple[Unit, ...]]:
        """Member name → the statements that bind it."""
        found: dict[str, list[Unit]] = {}
        for unit in self.members:
            for name in unit.binds:
                found.setdefault(name, []).append(unit)
        return {name: tuple(units) for name, units in found.items()}

    @cached_property
    def scope(self) -> Scope:
        """The scope of the class body."""
        scope = Scope(self.module, self.node, self.enclosing, is_class=True, owner=self)
        collect_bindings(scope, self.node.body)
        return scope

    @cached_property
    def self_assignments(self) -> dict[str, list[tuple[Assigned, Scope]]]:
        """Attribute → expressions (or annotations, as `AnnAssign`) assigned to `self.attr`."""
        found: dict[str, list[tuple[Assigned, Scope]]] = {}
        for function in self.functions:
            args = function.args.posonlyargs + function.args.args
            if not args:
                continue
            receiver = args[0].arg
            scope: Scope | None = None
            for target, value in _attribute_targets(function.body, receiver):
                scope = scope or function_scope(function, self.scope, self)
                found.setdefault(target, []).append((value, scope))
        return found

    @cached_property
    def functions(self) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef, ...]:
        """All method definitions in the body, including those under `if` and `try`."""
        return tuple(_functions(self.node.body))

    @property
    def key(self) -> tuple[str, str]:
        """Sort key: module name and qualified name."""
        return (self.module.name, self.qualname)


def _functions(body: Sequence[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            yield from _functions(node.body)
            yield from _functions(getattr(node, "orelse", []))
            for handler in getattr(node, "handlers", []):
                yield from _functions(handler.body)


def _attribute_targets(body: Sequence[ast.stmt], receiver: str) -> Iterator[tuple[str, Assigned]]:
    stack: list[ast.AST] = list(reversed(body))
    while stack:
        node = stack.pop()
        match node:
            case ast.Assign():
                for target in node.targets:
                    yield from _self_targets(target, node.value, receiver)
            case ast.AnnAssign(target=ast.Attribute(value=ast.Name(id=name), attr=attr)):
                if name == receiver:
                    yield attr, node
            case ast.AugAssign(target=ast.Attribute(value=ast.Name(id=name), attr=attr)):
                if name == receiver:
                    yield attr, node
            case ast.For(target=target) | ast.AsyncFor(target=target):
                yield from _self_targets(target, None, receiver)
            case ast.withitem(optional_vars=ast.expr() as target):
                yield from _self_targets(target, None, receiver)
            case ast.ClassDef() | ast.expr():
                continue
            case _:
                pass
        stack.extend(
            child
            for child in reversed(children(node))
            if isinstance(child, (ast.stmt, ast.excepthandler, ast.withitem, ast.match_case))
        )


def _self_targets(
    target: ast.expr, value: ast.expr | None, receiver: str
) -> Iterator[tuple[str, Assigned]]:
    match target:
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if name == receiver:
            yield attr, value if value is not None else ast.Pass()
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            match value:
                case ast.Tuple(elts=values) if len(values) == len(elements):
                    pairs: Iterable[tuple[ast.expr, ast.expr | None]] = zip(
                        elements, values, strict=True
                    )
                case _:
                    pairs = ((element, None) for element in elements)
            for element, part in pairs:
                yield from _self_targets(element, part, receiver)
        case _:
            return


@dataclass(frozen=True, slots=True)
class FunctionInfo:
    """A function or method of the repository."""

    module: Module
    node: ast.FunctionDef | ast.AsyncFunctionDef
    enclosing: Scope
    """Enclosing scope: of the module, a class body, or a function."""
    owner: ClassInfo | None
    """The class whose method it is."""


def module_class(module: Module, unit: Unit, node: ast.ClassDef) -> ClassInfo:
    """Return the class that a top-level statement defines (one object for each module and node)."""
    table = _classes(module.source)
    info = table.get((module.name, node))
    if info is None:
        first = min(_with_decorators(node.body[0]), key=lambda n: n.lineno)
        before = module.source.lines[first.lineno - 1].encode()[: first.col_offset]
        owns_lines = not before.strip(b" \t\f@")
        info = ClassInfo(
            module, node, node.name, unit, module_scope(module),
            is_prunable=unit.nodes == (node,) and owns_lines,
        )  # fmt: skip
        table[module.name, node] = info
    return info


def nested_class(scope: Scope, unit: Unit, node: ast.ClassDef) -> ClassInfo:
    """Return a class inside a function or class; it is kept whole."""
    table = _classes(scope.module.source)
    info = table.get((scope.module.name, node))
    if info is None:
        prefix = f"{scope.owner.qualname}." if scope.is_class and scope.owner else ""
        info = ClassInfo(scope.module, node, prefix + node.name, unit, scope, is_prunable=False)
        table[scope.module.name, node] = info
    return info


@memo
def _classes(_source: Source) -> dict[tuple[str, ast.ClassDef], ClassInfo]:
    return {}


@memo
def _unit_scopes(_module: Module) -> dict[int, Scope]:
    return {}


@memo
def _scopes(_source: Source) -> dict[tuple[str, ast.AST], Scope]:
    return {}


def _with_decorators(node: ast.stmt) -> list[ast.stmt | ast.expr]:
    return [node, *getattr(node, "decorator_list", [])]


# -------------------------------------------------------------------- function scopes


@memo
def module_scope(module: Module) -> Scope:
    """Return the scope in which a module's statements run; its names are in `Module.bindings`."""
    return Scope(module, module.source.tree, None)


def unit_scope(module: Module, unit: Unit) -> Scope:
    """Return the binders of one top-level unit, as a scope of its own."""
    table = _unit_scopes(module)
    scope = table.get(unit.index)
    if scope is None:
        scope = table[unit.index] = Scope(module, unit.node, None)
        collect_bindings(scope, unit.nodes)
    return scope


def function_scope(node: FunctionNode, parent: Scope, owner: ClassInfo | None) -> Scope:
    """Return the scope of a function or lambda; created once for each node and module."""
    module = parent.module
    table = _scopes(module.source)
    scope = table.get((module.name, node))
    if scope is None:
        scope = Scope(module, node, parent, owner=owner)
        table[module.name, node] = scope
        args = node.args
        for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs):
            scope.bind(arg.arg, Binder("parameter", arg, arg.annotation))
        if args.vararg:
            scope.bind(args.vararg.arg, Binder("rest", args.vararg))
        if args.kwarg:
            scope.bind(args.kwarg.arg, Binder("keywords", args.kwarg))
        for param in getattr(node, "type_params", []):
            scope.bind(param.name, Binder("opaque", param))
        collect_bindings(scope, [node.body] if isinstance(node, ast.Lambda) else node.body)
    return scope


def comprehension_scope(node: ComprehensionNode, parent: Scope) -> Scope:
    """Return the scope of a comprehension's targets."""
    module = parent.module
    table = _scopes(module.source)
    scope = table.get((module.name, node))
    if scope is None:
        scope = Scope(module, node, parent)
        table[module.name, node] = scope
        for generator in node.generators:
            bind_target(scope, generator.target, "item", generator.iter)
    return scope


def collect_bindings(scope: Scope, body: Sequence[ast.AST]) -> None:
    """Record every binding of the body in the scope; bodies of nested scopes are skipped."""
    nodes = list(own_nodes(body, overruled))
    scope.module_names |= declared_in(nodes, ast.Global)
    scope.outer_names |= declared_in(nodes, ast.Nonlocal)
    for node in nodes:
        if not isinstance(node, _BINDING_NOTHING):
            _collect(scope, node)
    if "nonlocal" in scope.module.source.text:
        for node in nodes:
            if isinstance(node, _NESTED):
                _collect_nonlocal(scope, node)


def _collect_nonlocal(scope: Scope, nested: ast.AST) -> None:
    """Record what a nested function binds in the scope by `nonlocal`, as opaque bindings."""
    for node in walk(nested):
        for name in node.names if isinstance(node, ast.Nonlocal) else ():
            if name in scope.binders:
                scope.bind(name, Binder("opaque", node))


_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_BINDING_NOTHING = (
    ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.BinOp, ast.Compare, ast.Expr, ast.If,
)  # fmt: skip


def _collect(scope: Scope, node: ast.AST) -> None:  # noqa: C901 - a case for each kind of node
    match node:
        case ast.Assign():
            for target in node.targets:
                bind_target(scope, target, "value", node.value)
        case ast.AnnAssign(target=ast.Name(id=name)):
            scope.bind(name, Binder("annotated", node, node.annotation))
        case ast.AugAssign(target=ast.Name(id=name)):
            scope.bind(name, Binder("value", node, ast.BinOp(node.target, node.op, node.value)))
        case ast.NamedExpr(target=ast.Name(id=name)):
            scope.bind(name, Binder("value", node, node.value))
        case ast.For() | ast.AsyncFor():
            bind_target(scope, node.target, "item", node.iter)
        case ast.withitem(optional_vars=ast.expr() as target):
            bind_target(scope, target, "enter", node.context_expr)
        case ast.Import() | ast.ImportFrom():
            for alias in node.names:
                scope.bind(imported_as(alias), Binder("import", node))
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            scope.bind(node.name, Binder("function", node))
        case ast.ClassDef():
            scope.bind(node.name, Binder("class", node))
        case ast.TryStar():
            for handler in node.handlers:
                if handler.name:
                    scope.bind(handler.name, Binder("group", handler))
        case ast.ExceptHandler(name=str(name)):
            scope.bind(name, Binder("exception", node, node.type))
        case ast.match_case():
            for name in (name for part in walk(node.pattern) for name in bound_by(part)):
                scope.bind(name, Binder("opaque", node))
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), classes]):
            scope.narrowed.setdefault(name, []).append(classes)
        case ast.Call(func=ast.Name(id="exec")):
            for name in executed_names(node):
                scope.bind(name, Binder("opaque", node))
        case ast.Delete():
            for target in node.targets:
                if isinstance(target, ast.Name):
                    scope.bind(target.id, Binder("opaque", node))
        case _:
            if type(node).__name__ == "TypeAlias":
                # the node is new in Python 3.12
                scope.bind(cast("Any", node).name.id, Binder("opaque", node))


def bind_target(
    scope: Scope, target: ast.expr, kind: BinderKind, value: ast.expr, path: tuple[int, ...] = ()
) -> None:
    """Bind the names of an assignment target, each with its path in the value."""
    match target:
        case ast.Name(id=name):
            scope.bind(name, Binder(kind, target, value, path))
        case ast.Starred(value=inner):
            bind_target(scope, inner, kind, value, (*path[:-1], -1))
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            for index, element in enumerate(elements):
                bind_target(scope, element, kind, value, (*path, index))
        case _:
            return
