"""The kept statements of a slice as syntax trees, and the outside meaning of their names."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from ...slicer.syntax.nodes import children, walk
from ...slicer.syntax.scopes import imported_names

if TYPE_CHECKING:
    from ..contacts import Border

_DEPTH = 4
_BINDERS = (ast.Assign, ast.AnnAssign, ast.NamedExpr)
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class KeptStatement:
    """One kept statement: of a module, or a member of a class."""

    path: str
    node: ast.stmt
    owner: str
    """Name of the class of a member; empty for a top-level statement."""
    is_target: bool


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """A kept definition with its own statements; a class comes without its methods."""

    path: str
    qualname: str
    nodes: tuple[ast.AST, ...]
    """All nodes in it."""


def kept_code(border: Border) -> KeptCode:
    """Return the kept code of a slice; the latest slice's is cached."""
    return border.of_slice("kept code", lambda: KeptCode(border))


class KeptCode:
    """A searchable index of all kept statements of a slice."""

    def __init__(self, border: Border) -> None:
        self._border = border
        self._dotted: dict[tuple[int, int], str] = {}
        self._parents: dict[int, dict[int, ast.AST]] = {}
        self._assigned: dict[int, dict[str, list[ast.expr]]] = {}
        targets = {(t.path, t.qualname) for t in border.sliced.manifest.targets}
        ranges: dict[str, dict[int, tuple[int, bool]]] = {}
        classes: dict[str, set[int]] = {}
        for definition in border.sliced.manifest.definitions:
            is_target = (definition.path, definition.qualname) in targets
            if definition.kind == "class":
                classes.setdefault(definition.path, set()).add(definition.first_line)
            else:
                found = ranges.setdefault(definition.path, {})
                for line in range(definition.first_line, definition.last_line + 1):
                    found[line] = (definition.last_line, is_target)
        self.statements: tuple[KeptStatement, ...] = tuple(
            kept
            for path in sorted({*ranges, *classes})
            for kept in _kept(path, self._tree(path).body, "", ranges.get(path, {}))
        )

    def _tree(self, path: str) -> ast.Module:
        return self._border.repository.source(path).tree

    @cached_property
    def imports(self) -> dict[str, dict[str, str]]:
        """Return file → bound name → dotted name, of imports at any depth."""
        return {path: _imports(self._tree(path)) for path in {k.path for k in self.statements}}

    def dotted(self, node: ast.expr, path: str, depth: int = 0) -> str:
        """Return the outside name that an expression spells, with `()` for calls; else "".

        A variable that holds the result of an outside call spells that call.
        """
        known = self._dotted.get((id(node), depth))
        if known is None:
            known = self._dotted[id(node), depth] = self._spelled(node, path, depth)
        return known

    def _spelled(self, node: ast.expr, path: str, depth: int) -> str:
        match node:
            case ast.Name(id=name):
                known = self.imports.get(path, {}).get(name)
                if known is None and depth < _DEPTH:
                    known = self._dotted_value(name, depth + 1)
                return known or (f"builtins.{name}" if hasattr(builtins, name) else "")
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                return self._dotted_value(name, depth + 1) if depth < _DEPTH else ""
            case ast.Attribute(value=value, attr=attribute):
                above = self.dotted(value, path, depth)
                return f"{above}.{attribute}" if above else ""
            case ast.Call(func=function):
                above = self.dotted(function, path, depth)
                return f"{above}()" if above else ""
            case _:
                return ""

    def _dotted_value(self, name: str, depth: int) -> str:
        for kept, value in (*self.bindings.get(name, ()), *self.locals.get(name, ()))[:2]:
            if isinstance(value, (ast.Call, ast.Attribute)):
                found = self.dotted(value, kept.path, depth)
                if found:
                    return found
        return ""

    @cached_property
    def locals(self) -> dict[str, list[tuple[KeptStatement, ast.expr]]]:
        """Return name bound in a function (also by `with … as`) → the values assigned to it."""
        found: dict[str, list[tuple[KeptStatement, ast.expr]]] = {}
        for kept, node in self.nodes(*_BINDERS, ast.withitem):
            if isinstance(kept.node, Function):
                for name, value in assigned(node):
                    found.setdefault(name, []).append((kept, value))
            if isinstance(node, ast.withitem) and isinstance(node.optional_vars, ast.Name):
                name = node.optional_vars.id
                found.setdefault(name, []).append((kept, node.context_expr))
        return found

    @cached_property
    def classes(self) -> tuple[tuple[str, ast.ClassDef], ...]:
        """Return the kept top-level classes, with their whole bodies."""
        kept = {
            (d.path, d.qualname)
            for d in self._border.sliced.manifest.definitions
            if d.kind == "class"
        }
        return tuple(
            (path, node)
            for path in sorted({path for path, _ in kept})
            for node in self._tree(path).body
            if isinstance(node, ast.ClassDef) and (path, node.name) in kept
        )

    def class_named(self, name: str) -> ast.ClassDef | None:
        """Return the kept class of that name, if any."""
        return next((node for _, node in self.classes if node.name == name), None)

    @cached_property
    def calls(self) -> tuple[tuple[KeptStatement, ast.Call], ...]:
        """Return all calls in the kept code, each with the statement that holds it."""
        found = self.nodes(ast.Call)
        return tuple((kept, node) for kept, node in found if isinstance(node, ast.Call))

    @cached_property
    def _by_type(self) -> dict[type[ast.AST], list[tuple[int, KeptStatement, ast.AST]]]:
        """Return node class → the kept code's nodes of it, with their place in walking order."""
        found: dict[type[ast.AST], list[tuple[int, KeptStatement, ast.AST]]] = {}
        place = 0
        for kept in self.statements:
            for node in _nodes(kept.node):
                place += 1
                found.setdefault(node.__class__, []).append((place, kept, node))
        return found

    def nodes(self, *types: type[ast.AST]) -> Iterator[tuple[KeptStatement, ast.AST]]:
        """Return all nodes of these classes, in walking order, statement by statement."""
        found = [each for type_ in types for each in self._by_type.get(type_, ())]
        if len(types) > 1:
            found.sort(key=_place)
        return ((kept, node) for _, kept, node in found)

    def walk(self, statement: ast.stmt) -> tuple[ast.AST, ...]:
        """Return all nodes of a kept statement; cached."""
        return _nodes(statement)

    def parents(self, statement: ast.stmt) -> dict[int, ast.AST]:
        """Return `id` of each node of a kept statement → its parent node."""
        found = self._parents.get(id(statement))
        if found is None:
            found = {id(below): node for node in _nodes(statement) for below in children(node)}
            self._parents[id(statement)] = found
        return found

    def assigned_in(self, statement: ast.stmt) -> dict[str, list[ast.expr]]:
        """Return name bound anywhere in a kept statement → the values assigned to it."""
        found = self._assigned.get(id(statement))
        if found is None:
            found = self._assigned[id(statement)] = {}
            for node in _nodes(statement):
                for name, value in assigned(node):
                    found.setdefault(name, []).append(value)
        return found

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        """Return all kept definitions, in the manifest's order."""
        return tuple(
            Definition(
                d.path, d.qualname, _own_nodes(self._tree(d.path), d.first_line, d.last_line)
            )
            for d in self._border.sliced.manifest.definitions
        )

    @cached_property
    def called_names(self) -> frozenset[str]:
        """Return the names that the slice calls: `json.loads`, `int`."""
        calls = (n for one in self.definitions for n in one.nodes if isinstance(n, ast.Call))
        return frozenset(filter(None, (_called_as(call.func) for call in calls)))

    @cached_property
    def uses(self) -> dict[str, list[tuple[KeptStatement, ast.AST]]]:
        """Return name of a variable or attribute → the nodes that read it."""
        found: dict[str, list[tuple[KeptStatement, ast.AST]]] = {}
        for kept, node in self.nodes(ast.Name, ast.Attribute):
            match node:
                case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name, ctx=ast.Load()):
                    found.setdefault(name, []).append((kept, node))
                case _:
                    pass
        return found

    @cached_property
    def returned(self) -> dict[str, list[tuple[KeptStatement, ast.expr]]]:
        """Return name of a function → the expressions that it returns."""
        found: dict[str, list[tuple[KeptStatement, ast.expr]]] = {}
        for kept, node in self.nodes(ast.Return):
            if isinstance(kept.node, Function) and isinstance(node, ast.Return) and node.value:
                found.setdefault(kept.node.name, []).append((kept, node.value))
        return found

    @cached_property
    def calls_by_name(self) -> dict[str, list[tuple[KeptStatement, ast.Call]]]:
        """Return last part of a called name → the calls."""
        found: dict[str, list[tuple[KeptStatement, ast.Call]]] = {}
        for kept, call in self.calls:
            match call.func:
                case ast.Name(id=name) | ast.Attribute(attr=name):
                    found.setdefault(name, []).append((kept, call))
                case _:
                    pass
        return found

    @cached_property
    def called_by_name(self) -> dict[str, list[KeptStatement]]:
        """Return last part of a called name → the functions that such a call may run."""
        found: dict[str, list[KeptStatement]] = {}
        for kept in self.statements:
            if isinstance(kept.node, Function):
                is_made = kept.node.name == "__init__" and kept.owner
                for name in {kept.node.name, kept.owner if is_made else kept.node.name}:
                    found.setdefault(name, []).append(kept)
        return found

    @cached_property
    def bindings(self) -> dict[str, list[tuple[KeptStatement, ast.expr]]]:
        """Return name of a module variable, class variable or attribute → its assigned values."""
        found: dict[str, list[tuple[KeptStatement, ast.expr]]] = {}
        for kept, node in self.nodes(*_BINDERS):
            is_outside = not isinstance(kept.node, Function)
            for name, value in assigned(node, names=is_outside, attributes=True):
                found.setdefault(name, []).append((kept, value))
        return found


def _place(each: tuple[int, KeptStatement, ast.AST]) -> int:
    return each[0]


def _called_as(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            return f"{owner}.{name}"
        case ast.Attribute(attr=name):
            return f".{name}"
        case _:
            return ""


@lru_cache(maxsize=8192)
def _nodes(statement: ast.stmt) -> tuple[ast.AST, ...]:
    return tuple(walk(statement))


@lru_cache(maxsize=512)
def _imports(tree: ast.Module) -> dict[str, str]:
    found = (pair for node in walk(tree) for pair in imported_names(node))
    return {name: dotted for name, dotted in found if not dotted.startswith(".")}


def assigned(
    node: ast.AST, *, names: bool = True, attributes: bool = False
) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that a node binds, with the value; with `attributes` also attributes."""
    match node:
        case ast.Assign(targets=targets, value=value):
            pairs = [(target, value) for target in targets]
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            pairs = [(target, value)]
        case ast.NamedExpr(target=target, value=value):
            pairs: Sequence[tuple[ast.expr, ast.expr]] = [(target, value)]
        case _:
            return
    for target, value in pairs:
        match target:
            case ast.Name(id=name) if names:
                yield name, value
            case ast.Attribute(attr=name) if attributes:
                yield name, value
            case _:
                pass


def _kept(
    path: str, body: Sequence[ast.stmt], owner: str, lines: dict[int, tuple[int, bool]]
) -> Iterator[KeptStatement]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _kept(path, node.body, node.name, lines)
            continue
        last, is_target = lines.get(node.lineno, (0, False))
        if (node.end_lineno or node.lineno) <= last:
            yield KeptStatement(path, node, owner, is_target)
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            yield from _kept(path, node.body, owner, lines)


def _own_nodes(tree: ast.Module, first: int, last: int) -> tuple[ast.AST, ...]:
    """Return all nodes of the definition at these lines; of a class, without its methods."""
    node = _by_lines(tree).get((first, last))
    if isinstance(node, ast.ClassDef):
        own = [s for s in node.body if not isinstance(s, (Function, ast.ClassDef))]
        return tuple(inner for statement in own for inner in _nodes(statement))
    return () if node is None else _nodes(node)


@lru_cache(maxsize=64)
def _by_lines(tree: ast.Module) -> dict[tuple[int, int], ast.stmt]:
    found: dict[tuple[int, int], ast.stmt] = {}

    def add(body: Sequence[ast.stmt]) -> None:
        for node in body:
            decorators = getattr(node, "decorator_list", ())
            first = min([node.lineno, *(d.lineno for d in decorators)])
            found.setdefault((first, node.end_lineno or first), node)
            if isinstance(node, ast.ClassDef):
                add(node.body)
            else:
                add([s for s in ast.iter_child_nodes(node) if isinstance(s, ast.stmt)])

    add(tree.body)
    return found
