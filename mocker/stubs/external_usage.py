"""A slice's uses of outside modules: which names, and in which roles."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ...slicer.syntax.call_shapes import CallShape, shape_of
from ..contacts import Border, is_below
from .external_paths import Paths, imported, imported_from
from .kept_syntax import kept_files, kept_syntax_nodes

Role = Literal[
    "read", "called", "base", "base beside another", "decorator", "error", "class", "awaited"
]


@dataclass(frozen=True, slots=True, order=True)
class Use:
    """A use of one name or value from an outside module."""

    path: str
    """Dotted, such as `serial.Serial().readline`."""
    role: Role
    keywords: tuple[str, ...] = ()
    """Names of a call's keyword arguments."""


@dataclass(frozen=True, slots=True, order=True)
class GuardedCall:
    """A call inside a `try`, and an outside exception that is caught there."""

    path: str
    error: str


@dataclass(frozen=True, slots=True, order=True)
class Called:
    """A call, as written, of an outside or unknown function."""

    path: str
    """Path of the callee; empty if unknown."""
    name: str
    """Its last component."""
    shape: CallShape


@dataclass(frozen=True, slots=True)
class Usage:
    """A slice's uses of some modules."""

    modules: tuple[str, ...]
    """Modules that it imports, sorted."""
    uses: tuple[Use, ...]
    guarded: tuple[GuardedCall, ...]
    decorators: tuple[str, ...]
    """Last components of all decorator names."""
    coroutines: tuple[str, ...] = ()
    """Last components of all names whose calls are run as coroutines."""
    starred: tuple[tuple[str, str], ...] = ()
    """Modules with names that they get by `import *`."""
    calls: tuple[Called, ...] = ()
    """Calls of the modules' names, and of attributes of unknown objects."""
    attributes: frozenset[str] = frozenset()
    """Names of attributes that the slice reads from unknown objects."""
    kinds: Mapping[str, str] = field(default_factory=dict[str, str])
    """Declared kind of the modules' names: `class`, `error`, `function`, `value`."""

    def below(self, path: str) -> tuple[str, ...]:
        """Return the names of an object's attributes."""
        prefix = f"{path}."
        inside = (u.path[len(prefix) :] for u in self.uses if u.path.startswith(prefix))
        return tuple(sorted({_first_name(rest) for rest in inside}))

    def attribute_names(self, top: str) -> frozenset[str]:
        """Return the names of attributes that objects of a package have, or may have."""
        inside = (u.path for u in self.uses if u.path.partition(".")[0] == top)
        parts = (part for path in inside for part in path.split("."))
        return self.attributes.union(_first_name(part) for part in parts)

    def roles(self, path: str) -> frozenset[Role]:
        """Return the roles that a path is used in."""
        return frozenset(use.role for use in self.uses if use.path == path)

    def keywords(self, path: str) -> tuple[str, ...]:
        """Return the keyword names in calls of a path."""
        return tuple(sorted({k for u in self.uses if u.path == path for k in u.keywords}))


def usage_of(border: Border, modules: Sequence[str]) -> Usage:
    """Return the slice's uses of these modules and everything below them."""
    collected: list[Use] = []
    guarded: set[GuardedCall] = set()
    decorators: set[str] = set()
    coroutines: set[str] = set()
    calls: set[Called] = set()
    derived: set[tuple[str, str]] = set()
    attributes: set[str] = set()
    named: set[str] = set(border.modules(*modules))

    def wanted(path: str) -> bool:
        return any(is_below(path, module) for module in modules)

    for file in kept_files(border):
        nodes = tuple(kept_syntax_nodes(border, file))
        module = border.repository.module_name(file)
        is_package = file.endswith("__init__.py")
        paths = Paths(nodes, module, is_package=is_package, wanted=wanted)
        for node in nodes:
            decorators.update(_decorators(node))
            coroutines.update(_coroutines(node))
            collected.extend(_uses(node, paths))
            guarded.update(_guarded(node, paths))
            calls.update(_calls(node, paths))
            derived.update(_derived(node, paths))
            if isinstance(node, ast.Attribute) and _is_open(node.value, paths):
                attributes.add(node.attr)
            for _, path in imported(node, module, is_package=is_package):
                if wanted(path):
                    collected.append(Use(path, "read"))
            if isinstance(node, ast.ImportFrom):
                source = imported_from(node, module, is_package=is_package)
                named.update({source} if wanted(source) else ())
    # a name may have been imported under another one
    decorated = {use.path for use in collected if use.role == "decorator"}
    decorators |= {path.rpartition(".")[2].partition("(")[0] for path in decorated}
    collected.extend(Use(c.name, "read") for c in border.contacts if wanted(c.name))
    calls.update(
        Called(path, name, call.shape)
        for name, path in sorted(derived)
        for call in sorted(calls)
        if call.name == name and not call.path
    )
    starred = tuple(
        (external.module, name)
        for external in border.sliced.manifest.externals
        if "*" in external.names and wanted(external.module)
        for name in external.names
        if name != "*"
    )
    return Usage(
        tuple(sorted(named | {m for m in modules if m not in named and _is_required(m, border)})),
        tuple(sorted(set(collected))), tuple(sorted(guarded)), tuple(sorted(decorators)),
        tuple(sorted(coroutines)), starred, tuple(sorted(calls)), frozenset(attributes),
    )  # fmt: skip


def _is_required(module: str, border: Border) -> bool:
    """Whether a module is required although no import names it itself."""
    return bool(border.named(module)) or not border.modules(module)


def _first_name(rest: str) -> str:
    for index, letter in enumerate(rest):
        if letter in ".([":
            return rest[:index]
    return rest


def _decorators(node: ast.AST) -> Iterator[str]:
    for decorator in getattr(node, "decorator_list", ()):
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = getattr(target, "attr", getattr(target, "id", ""))
        if name:
            yield name


def _coroutines(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Call(
            func=ast.Attribute(attr="create_task")
            | ast.Attribute(value=ast.Name(id="asyncio"), attr="run"),
            args=[ast.Call(func=ast.Attribute(attr=name)), *_],
        ):
            yield name
        case _:
            pass


def _uses(node: ast.AST, paths: Paths) -> Iterator[Use]:
    match node:
        case ast.Call(func=func, args=args, keywords=keywords):
            path = paths.of(func)
            if path:
                names = tuple(sorted(k.arg for k in keywords if k.arg))
                yield Use(path, "called", names)
                yield Use(f"{path}()", "read")
            if isinstance(func, ast.Name) and func.id in ("isinstance", "issubclass"):
                yield from _each(args[1:], "class", paths)
        case ast.ClassDef(bases=bases):
            found = [base.value if isinstance(base, ast.Subscript) else base for base in bases]
            for base in found:
                path = paths.of(base)
                if path:
                    others = [b for b in found if b is not base and not paths.of(b)]
                    is_alone = all(_is_plain(other) for other in others)
                    yield Use(path, "base" if is_alone else "base beside another")
            yield from _each(node.decorator_list, "decorator", paths)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from _each(node.decorator_list, "decorator", paths)
        case ast.Raise(exc=ast.expr() as raised):
            yield from _each([raised], "error", paths)
        case ast.ExceptHandler(type=ast.expr() as caught):
            yield from _each([caught], "error", paths)
        case ast.Await(value=value):
            yield from _each([value], "awaited", paths)
        case ast.Attribute() | ast.Name() | ast.Subscript():
            path = paths.of(node)
            if path:
                yield Use(path, "read")
        case _:
            pass


def _calls(node: ast.AST, paths: Paths) -> Iterator[Called]:
    """Yield the calls at a node; those of `super()` count as calls of the base."""
    match node:
        case ast.Call(func=ast.Name() as func):
            path = paths.of(func)
            yield Called(path or "", path.rpartition(".")[2] if path else func.id, shape_of(node))
        case ast.Call(func=ast.Attribute(value=value, attr=attr) as func):
            is_above = isinstance(value, ast.Call) and getattr(value.func, "id", "") == "super"
            if not is_above and paths.of(func):
                yield Called(paths.of(func) or "", attr, shape_of(node))
            if not is_above and _is_open(value, paths):
                yield Called("", attr, shape_of(node))
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            for decorator in node.decorator_list:
                path = paths.of(decorator)
                if path:
                    yield Called(path, path.rpartition(".")[2], CallShape(1))
            if isinstance(node, ast.ClassDef):
                yield from _calls_above(node, paths)
        case _:
            pass


def _is_open(node: ast.expr, paths: Paths) -> bool:
    """Whether an expression may be of another class: variables of one name may be several."""
    while isinstance(node, (ast.Attribute, ast.Call, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    path = paths.of(node)
    return path is None or "(" in path or "[" in path


def _calls_above(cls: ast.ClassDef, paths: Paths) -> Iterator[Called]:
    above = [path for base in cls.bases for path in [paths.of(base)] if path]
    for inner in ast.walk(cls) if above else ():
        match inner:
            case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=attr)):
                for path in above:
                    place = path if attr == "__init__" else f"{path}().{attr}"
                    yield Called(place, attr, shape_of(inner))
            case _:
                pass


def _derived(node: ast.AST, paths: Paths) -> Iterator[tuple[str, str]]:
    """Yield classes without an `__init__` of their own, with the paths of their bases."""
    if isinstance(node, ast.ClassDef):
        own = {getattr(member, "name", "") for member in node.body}
        for base in node.bases if own.isdisjoint({"__init__", "__new__"}) else ():
            path = paths.of(base)
            if path:
                yield node.name, path


def _is_plain(base: ast.expr) -> bool:
    """Whether a base class surely has a standard-library metaclass."""
    name = getattr(base, "attr", getattr(base, "id", ""))
    return name in ("ABC", "object", "Exception", "dict", "list", "Thread", "Generic", "Protocol")


def _each(nodes: Sequence[ast.expr], role: Role, paths: Paths) -> Iterator[Use]:
    for node in nodes:
        inside = node.elts if isinstance(node, ast.Tuple) else [node]
        for each in inside:
            path = paths.of(each.func if isinstance(each, ast.Call) else each)
            if path:
                yield Use(path, role)


def _guarded(node: ast.AST, paths: Paths) -> Iterator[GuardedCall]:
    if not isinstance(node, (ast.Try, ast.TryStar)):
        return
    errors = [
        use.path
        for handler in node.handlers
        if handler.type is not None
        for use in _each([handler.type], "error", paths)
    ]
    calls = [
        path
        for statement in node.body
        for inner in ast.walk(statement)
        if isinstance(inner, ast.Call)
        for path in [paths.of(inner.func)]
        if path
    ]
    for path in calls:
        for error in errors:
            yield GuardedCall(path, error)
