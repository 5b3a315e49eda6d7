"""The meaning of names in declaring modules: read statically, never imported."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ....slicer.syntax.scopes import imported_as
from .stub_sources import Source, sources_of

_DEPTH = 24
"""The most imports and assignments that a name is followed through."""
_NOT_READ = sys.stdlib_module_names | {"typing_extensions", "_typeshed", "mypy_extensions"}
Scope = dict[str, tuple[ast.stmt, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class DeclaringModule:
    """A module that declares names."""

    name: str
    source: Source
    is_package: bool
    is_stub: bool
    scope: Scope
    stars: tuple[ast.ImportFrom, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The meaning of a name: a declaration, a module, or something unread."""

    module: str
    name: str
    """Empty for a module."""
    nodes: tuple[ast.stmt, ...] = ()
    """Its definitions: several for branches or overloads."""

    @property
    def path(self) -> str:
        """Return the dotted name of its own place."""
        return f"{self.module}.{self.name}" if self.name else self.module

    @property
    def cls(self) -> ast.ClassDef | None:
        """Return the class, if it is one."""
        first = self.nodes[0] if self.nodes else None
        return first if isinstance(first, ast.ClassDef) else None

    @property
    def functions(self) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef, ...]:
        """Return the function's definitions, if it is one."""
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        return tuple(node for node in self.nodes if isinstance(node, kinds))


class Reader:
    """Reads the modules of packages, and records the sources that declared something."""

    def __init__(self, modules: Iterable[str], within: Reader | None = None) -> None:
        self.used: dict[str, Source] = within.used if within else {}
        """Module → the source that it was read from."""
        self.lines: dict[str, tuple[Found, ...]] = {}
        """Class → its ancestors, for the classes looked up so far."""
        self._tops = frozenset(module.partition(".")[0] for module in modules)
        self._known: dict[tuple[str, str], Found | None] = {}
        self._is_everywhere = within is not None
        self.beyond = self if within else Reader(self._tops, self)
        """A reader of everything installed: exceptions may derive from other packages' ones."""

    def module(self, name: str) -> DeclaringModule | None:
        """Return a module that some source declares, from the standard library only on request."""
        top = name.partition(".")[0]
        if not self._is_read(top):
            return None
        for source in sources_of(top):
            found = _declaring(name, source)
            if found is not None:
                self.used[name] = source
                return found
        return None

    def _is_read(self, top: str) -> bool:
        if top in self._tops:
            return True
        if top in _NOT_READ:
            return top.removeprefix("_") in self._tops  # its part that is written in C
        own = {source.stated for each in self._tops for source in sources_of(each)}
        return self._is_everywhere or any(source.stated in own for source in sources_of(top))

    def resolve(self, module: str, name: str, depth: int = 0) -> Found | None:
        """Return the meaning of a module's name; `None` if no source declares it."""
        key = module, name
        if key not in self._known:
            self._known[key] = None  # modules may import each other
            self._known[key] = self._resolved(module, name, depth)
        return self._known[key]

    def _resolved(self, module: str, name: str, depth: int) -> Found | None:
        declaring = self.module(module)
        if declaring is None or depth > _DEPTH:
            return None
        nodes = declaring.scope.get(name, ())
        if nodes:
            return self._followed(declaring, name, nodes, depth)
        for star in declaring.stars:
            found = self.resolve(_source(star, declaring), name, depth + 1)
            if found is not None:
                return found
        if declaring.is_package and self.module(f"{module}.{name}"):
            return Found(f"{module}.{name}", "")
        return None

    def _followed(
        self, declaring: DeclaringModule, name: str, nodes: tuple[ast.stmt, ...], depth: int
    ) -> Found | None:
        match nodes[0]:
            case ast.Import(names=aliases):
                for alias in aliases:
                    if alias.asname == name:
                        return Found(alias.name, "")
                    if not alias.asname and alias.name.partition(".")[0] == name:
                        return Found(name, "")
                return None
            case ast.ImportFrom(names=aliases) as node:
                original = next((a.name for a in aliases if (a.asname or a.name) == name), name)
                return self._imported(_source(node, declaring), original, depth)
            case (
                ast.Assign(value=ast.Name() | ast.Attribute() as value)
                | ast.AnnAssign(value=ast.Name() | ast.Attribute() as value)
            ):
                found = self.meaning(declaring.name, value, depth + 1)
                is_declared = found is not None and bool(found.cls or found.functions)
                return found if is_declared else Found(declaring.name, name, nodes)
            case _:
                return Found(declaring.name, name, nodes)

    def _imported(self, source: str, name: str, depth: int) -> Found | None:
        found = self.resolve(source, name, depth + 1)
        if found is not None:
            return found
        if self.module(f"{source}.{name}") is not None:
            return Found(f"{source}.{name}", "")
        return None if self.module(source) else Found(source, name)

    def meaning(self, module: str, node: ast.expr, depth: int = 0) -> Found | None:
        """Return the meaning of an expression in a module: a name, or a chain of attributes."""
        match node:
            case ast.Name(id=name):
                found = self.resolve(module, name, depth + 1)
                if found is None and hasattr(builtins, name):
                    return Found("builtins", name)
                return found
            case ast.Attribute(value=value, attr=attr):
                above = self.meaning(module, value, depth + 1) if depth < _DEPTH else None
                if above is not None and above.cls is not None:
                    return _of_class(above, above.cls, attr)
                if above is None or above.name:
                    return None
                return self._imported(above.module, attr, depth)
            case _:
                return None


def _of_class(found: Found, cls: ast.ClassDef, name: str) -> Found | None:
    """Return a class's method bound to a module name: without the class parameter."""
    nodes: list[ast.stmt] = []
    for node in scope_of(cls.body)[0].get(name, ()):
        names = {getattr(decorator, "id", "") for decorator in getattr(node, "decorator_list", ())}
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and "classmethod" in names:
            nodes.append(_without_first(node, cls.name))
    return Found(found.module, f"{found.name}.{name}", tuple(nodes)) if nodes else None


def _without_first(
    node: ast.FunctionDef | ast.AsyncFunctionDef, cls: str
) -> ast.FunctionDef | ast.AsyncFunctionDef:
    args = node.args
    positional, plain = args.posonlyargs[1:], args.args[not args.posonlyargs :]
    rest = ast.arguments(
        positional, plain, args.vararg, args.kwonlyargs, args.kw_defaults, args.kwarg,
        args.defaults[-len([*positional, *plain]) :] if positional or plain else [],
    )  # fmt: skip
    is_own = isinstance(node.returns, ast.Name) and node.returns.id == "Self"
    returns = ast.Name(cls, ast.Load()) if is_own else node.returns
    kind = type(node)
    return kind(name=node.name, args=rest, body=node.body, decorator_list=[], returns=returns)


def _source(node: ast.ImportFrom, declaring: DeclaringModule) -> str:
    """Return the absolute name of the module in a `from` import."""
    if not node.level:
        return node.module or ""
    parts = declaring.name.split(".")
    up = node.level - 1 if declaring.is_package else node.level
    above = parts[: len(parts) - up] if up else parts
    return ".".join([*above, *([node.module] if node.module else [])])


@lru_cache(maxsize=1024)
def _declaring(name: str, source: Source) -> DeclaringModule | None:
    read = source.text(name)
    if read is None:
        return None
    text, is_package, is_stub = read
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    scope, stars = scope_of(body)
    return DeclaringModule(name, source, is_package, is_stub, scope, tuple(stars))


def scope_of(body: Sequence[ast.stmt]) -> tuple[Scope, list[ast.ImportFrom]]:
    """Return name → the statements that bind it in any branch; and the star imports."""
    found: dict[str, list[ast.stmt]] = {}
    stars: list[ast.ImportFrom] = []
    for node in _flat(body):
        for name in _bound(node):
            if name == "*" and isinstance(node, ast.ImportFrom):
                stars.append(node)
            else:
                found.setdefault(name, []).append(node)
    return {name: _of_one_kind(nodes) for name, nodes in found.items()}, stars


def _of_one_kind(nodes: list[ast.stmt]) -> tuple[ast.stmt, ...]:
    """Return the definitions if there are any; assignments and imports are fallbacks."""
    for kinds in (
        ast.ClassDef,
        (ast.FunctionDef, ast.AsyncFunctionDef),
        (ast.Import, ast.ImportFrom),
    ):
        of_kind = tuple(node for node in nodes if isinstance(node, kinds))
        if of_kind:
            return of_kind
    return tuple(nodes)


def _flat(body: Sequence[ast.stmt], depth: int = 0) -> Iterator[ast.stmt]:
    for node in body:
        match node:
            case ast.If(body=inner, orelse=others) if depth < _DEPTH:
                yield from _flat([*inner, *others], depth + 1)
            case ast.Try(body=inner, handlers=handlers, orelse=others) if depth < _DEPTH:
                yield from _flat(inner, depth + 1)
                yield from _flat(others, depth + 1)
                for handler in handlers:
                    yield from _flat(handler.body, depth + 1)
            case _:
                yield node


def _bound(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            yield from map(imported_as, aliases)
        case ast.Assign(targets=targets):
            yield from (target.id for target in targets if isinstance(target, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case _:
            pass
