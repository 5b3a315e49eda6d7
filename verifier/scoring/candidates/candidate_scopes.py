"""Rename names of a candidate that clash with its new module, by Python's scoping rules.

A candidate replaces its target and nothing else. Its other definitions are for itself: the module's
other code, and the cases, keep what they had under the same name.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSION = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_BUILTINS = frozenset(dir(builtins))


def clashes(
    statements: Sequence[ast.stmt], own: Collection[ast.stmt], used_names: Collection[str]
) -> frozenset[str]:
    """Return the names that some statements bind anew although something else has them.

    Args:
        statements: all statements of a module, in order.
        own: the statements whose names are returned.
        used_names: names in use; builtins always are.
    """
    bound = {name for name in bound_in(own) if name in used_names or name in _BUILTINS}
    return frozenset(bound - _read_first(statements)) if bound else frozenset()


def renamed(
    statements: Iterable[ast.stmt], names: Iterable[str], used_names: Collection[str]
) -> list[ast.stmt]:
    """Return the module's statements with some of its names replaced."""
    body = list(statements)
    used = {*used_names, *_BUILTINS, *_identifiers(body)}
    mapping: dict[str, str] = {}
    for name in sorted(names):
        number = 2
        while f"{name}_{number}" in used:
            number += 1
        mapping[name] = f"{name}_{number}"
        used.add(mapping[name])
    renamer = _Renamer(mapping)
    return [renamer.visit(node) for node in body]


def bound_in(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Return the names that statements bind in their own scope."""
    return frozenset(_Bindings.of(nodes).local)


def read_of_module(nodes: Iterable[ast.AST], names: Iterable[str]) -> frozenset[str]:
    """Return those of some names that code reads from the module's scope."""
    reader = _Reader({name: name for name in names})
    for node in nodes:
        reader.visit(node)
    return frozenset(reader.found)


def bound_by(alias: ast.alias) -> str:
    """Return the name that a part of an import binds."""
    return alias.asname or alias.name.partition(".")[0]


def _read_first(statements: Iterable[ast.stmt]) -> set[str]:
    """Return names that a module reads before it binds them, so that they mean earlier values."""
    read: set[str] = set()
    bound: set[str] = set()
    for node in statements:
        read.update(name for name in names_read_immediately(node) if name not in bound)
        bound |= bound_in([node])
    return read


def names_read_immediately(node: ast.stmt) -> Iterator[str]:
    """Yield names that a statement reads when it runs, not when functions in it are called."""
    pending: list[ast.AST] = [node]
    while pending:
        inner = pending.pop()
        match inner:
            case ast.Name(id=name, ctx=ast.Load()):
                yield name
            case ast.AugAssign(target=ast.Name(id=name)):
                yield name
            case _:
                pass
        if isinstance(inner, _FUNCTION):
            pending += _outside(inner)
        else:
            pending += ast.iter_child_nodes(inner)


def _outside(node: ast.AST) -> list[ast.AST]:
    """Return the parts of a function or class that are evaluated in the enclosing scope."""
    found: list[ast.AST] = [*getattr(node, "decorator_list", ())]
    if isinstance(node, _FUNCTION):
        given = node.args
        found += [*given.defaults, *(each for each in given.kw_defaults if each)]
        parameters = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
        found += [each.annotation for each in parameters if each and each.annotation]
        found += [each for each in (getattr(node, "returns", None),) if each]
    elif isinstance(node, ast.ClassDef):
        found += [*node.bases, *node.keywords]
    return found


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    """Return the names of a function's parameters."""
    given = node.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return {each.arg for each in every if each}


def _identifiers(body: Iterable[ast.stmt]) -> Iterator[str]:
    for node in body:
        for inner in ast.walk(node):
            for field in ("id", "name", "arg", "attr", "asname"):
                found = getattr(inner, field, None)
                if isinstance(found, str):
                    yield found


@dataclass(frozen=True, slots=True)
class _Bindings:
    """The names of one scope."""

    local: set[str]
    module: set[str]
    """Names declared `global`."""
    outer: set[str]
    """Names declared `nonlocal`."""
    is_class: bool = False

    @classmethod
    def of(cls, body: Iterable[ast.AST], *, is_class: bool = False) -> _Bindings:
        """Return the bindings of the statements in their own scope."""
        found = cls(set(), set(), set(), is_class)
        for node in body:
            found.add(node)
        found.local.difference_update(found.module, found.outer)
        return found

    def add(self, top: ast.AST) -> None:
        """Add a statement or expression, without its inner scopes."""
        pending = [top]
        while pending:
            node = pending.pop()
            if isinstance(node, _COMPREHENSION):  # only `:=` binds names outside a comprehension
                inner = [n for n in ast.walk(node) if isinstance(n, ast.NamedExpr)]
                self.local.update(n.target.id for n in inner)
                continue
            self._add_names(node)
            if isinstance(node, (*_FUNCTION, ast.ClassDef)):
                pending += _outside(node)
            else:
                pending += ast.iter_child_nodes(node)

    def _add_names(self, node: ast.AST) -> None:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                self.local.add(name)
            case ast.ClassDef(name=name) | ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                self.local.add(name)
            case ast.alias() if node.name != "*":
                self.local.add(bound_by(node))
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                self.local.add(name)
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                self.local.add(name)
            case ast.Global(names=names):
                self.module.update(names)
            case ast.Nonlocal(names=names):
                self.outer.update(names)
            case _:
                pass


class _Renamer(ast.NodeTransformer):
    """Renames references to the module's names."""

    def __init__(self, mapping: Mapping[str, str]) -> None:
        self._mapping = mapping
        self._scopes: list[_Bindings] = []

    def _new(self, name: str) -> str:
        """Return the new name in the current scope."""
        return self._mapping[name] if name in self._mapping and self._is_modules(name) else name

    def _is_modules(self, name: str) -> bool:
        for depth, scope in enumerate(reversed(self._scopes)):
            if name in scope.module:
                return True
            if name in scope.local and not (scope.is_class and depth):
                return False
        return True

    def _inside(self, scope: _Bindings, nodes: Iterable[ast.AST]) -> None:
        self._scopes.append(scope)
        for node in nodes:
            self.visit(node)
        self._scopes.pop()

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Rename a variable."""
        node.id = self._new(node.id)
        return node

    def visit_Global(self, node: ast.Global) -> ast.AST:
        """Rename names in a `global` statement."""
        node.names = [self._mapping.get(name, name) for name in node.names]
        return node

    def visit_alias(self, node: ast.alias) -> ast.AST:
        """Rename what an import binds."""
        name = bound_by(node)
        new = self._new(name)
        if new != name and (node.asname or "." not in node.name):
            node.asname = new
        return node

    def _visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        node.name = self._new(node.name)
        scope = _Bindings.of(node.body)
        scope.local.update(parameters(node))
        self._visit_scope(node, scope, node.body)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Rename in a function and its scope."""
        return self._visit_function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        """Rename in a coroutine function and its scope."""
        return self._visit_function(node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Rename in a lambda and its scope."""
        scope = _Bindings.of([node.body])
        scope.local.update(parameters(node))
        self._visit_scope(node, scope, [node.body])
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Rename in a class, whose names are visible in its body alone."""
        node.name = self._new(node.name)
        self._visit_scope(node, _Bindings.of(node.body, is_class=True), node.body)
        return node

    def _visit_scope(self, node: ast.AST, scope: _Bindings, body: Sequence[ast.AST]) -> None:
        kinds: list[ast.AST] = getattr(node, "type_params", [])
        self._scopes.append(_Bindings({getattr(each, "name", "") for each in kinds}, set(), set()))
        for outside in (*_outside(node), *kinds):
            self.visit(outside)
        self._inside(scope, body)
        self._scopes.pop()

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Rename in comprehensions, which have a scope, and in nodes that hold names as text."""
        if isinstance(node, _COMPREHENSION):
            self._visit_comprehension(node)
            return node
        for field in ("name", "rest"):
            found = getattr(node, field, None)
            if isinstance(found, str) and isinstance(
                node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping)
            ):
                setattr(node, field, self._new(found))
        return super().generic_visit(node)

    def _visit_comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
    ) -> None:
        first, *others = node.generators
        self.visit(first.iter)
        scope = _Bindings.of([each.target for each in node.generators])
        values = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        self._inside(scope, [first.target, *first.ifs, *others, *values])


class _Reader(_Renamer):
    """Finds references to the module's names without renaming."""

    def __init__(self, mapping: Mapping[str, str]) -> None:
        super().__init__(mapping)
        self.found: set[str] = set()

    def _new(self, name: str) -> str:
        if name in self._mapping and self._is_modules(name):
            self.found.add(name)
        return name
