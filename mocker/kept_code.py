"""The statements that a slice keeps, as trees, and what the names in them mean outside."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..slicer.model import Slice
    from .model import Border

_DEPTH = 4
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Kept:
    """One kept statement: of a module, or a member of a class."""

    path: str
    node: ast.stmt
    owner: str
    """Name of the class that it is a member of; empty at the top of a module."""
    is_target: bool


_latest: list[tuple[Slice, KeptCode]] = []


def kept_code(border: Border) -> KeptCode:
    """The kept code of a slice; that of the latest slice is at hand."""
    if not _latest or _latest[0][0] is not border.sliced:
        _latest[:] = [(border.sliced, KeptCode(border))]
    return _latest[0][1]


class KeptCode:
    """Everything that a slice keeps, to be searched."""

    def __init__(self, border: Border) -> None:
        self._border = border
        self._dotted: dict[int, str] = {}
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
        self.statements: tuple[Kept, ...] = tuple(
            kept
            for path in sorted({*ranges, *classes})
            for kept in _kept(path, self._tree(path).body, "", ranges.get(path, {}))
        )

    def _tree(self, path: str) -> ast.Module:
        return self._border.repository.source(path).tree

    @cached_property
    def imports(self) -> dict[str, dict[str, str]]:
        """File → bound name → dotted name, of imports at any depth."""
        return {path: _imports(self._tree(path)) for path in {k.path for k in self.statements}}

    def dotted(self, node: ast.expr, path: str, depth: int = 0) -> str:
        """The outside name that an expression spells, with `()` for calls; else empty.

        A variable that holds what an outside call gave spells that call.
        """
        if depth:
            return self._spelled(node, path, depth)
        known = self._dotted.get(id(node))
        if known is None:
            known = self._dotted[id(node)] = self._spelled(node, path, 0)
        return known

    def _spelled(self, node: ast.expr, path: str, depth: int) -> str:
        match node:
            case ast.Name(id=name):
                known = self.imports.get(path, {}).get(name)
                if known is None and depth < _DEPTH:
                    known = self._held(name, depth + 1)
                return known or (f"builtins.{name}" if hasattr(builtins, name) else "")
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                return self._held(name, depth + 1) if depth < _DEPTH else ""
            case ast.Attribute(value=value, attr=attribute):
                above = self.dotted(value, path, depth)
                return f"{above}.{attribute}" if above else ""
            case ast.Call(func=function):
                above = self.dotted(function, path, depth)
                return f"{above}()" if above else ""
            case _:
                return ""

    def _held(self, name: str, depth: int) -> str:
        for kept, value in (*self.bindings.get(name, ()), *self.locals.get(name, ()))[:2]:
            if isinstance(value, (ast.Call, ast.Attribute)):
                found = self.dotted(value, kept.path, depth)
                if found:
                    return found
        return ""

    @cached_property
    def locals(self) -> dict[str, list[tuple[Kept, ast.expr]]]:
        """Names bound in functions, with `with … as` too → the values given to them."""
        found: dict[str, list[tuple[Kept, ast.expr]]] = {}
        for kept in self.statements:
            for node in self.walk(kept.node):
                if isinstance(kept.node, Function):
                    for name, value in assigned(node):
                        found.setdefault(name, []).append((kept, value))
                if isinstance(node, ast.withitem) and isinstance(node.optional_vars, ast.Name):
                    name = node.optional_vars.id
                    found.setdefault(name, []).append((kept, node.context_expr))
        return found

    @cached_property
    def classes(self) -> tuple[tuple[str, ast.ClassDef], ...]:
        """The kept classes at the top of modules, with all that stands in them."""
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
        """The kept class of that name."""
        return next((node for _, node in self.classes if node.name == name), None)

    @cached_property
    def calls(self) -> tuple[tuple[Kept, ast.Call], ...]:
        """Every call in the kept code, with the statement that holds it."""
        return tuple(
            (kept, node)
            for kept in self.statements
            for node in self.walk(kept.node)
            if isinstance(node, ast.Call)
        )

    def walk(self, statement: ast.stmt) -> tuple[ast.AST, ...]:
        """Every node of a kept statement; walked once."""
        return _nodes(statement)

    @cached_property
    def calls_by_name(self) -> dict[str, list[tuple[Kept, ast.Call]]]:
        """Last part of the called name → the calls."""
        found: dict[str, list[tuple[Kept, ast.Call]]] = {}
        for kept, call in self.calls:
            match call.func:
                case ast.Name(id=name) | ast.Attribute(attr=name):
                    found.setdefault(name, []).append((kept, call))
                case _:
                    pass
        return found

    @cached_property
    def bindings(self) -> dict[str, list[tuple[Kept, ast.expr]]]:
        """Name of a module variable, class variable or attribute → the values given to it."""
        found: dict[str, list[tuple[Kept, ast.expr]]] = {}
        for kept in self.statements:
            nodes = self.walk(kept.node) if not isinstance(kept.node, Function) else ()
            for node in nodes:
                for name, value in assigned(node, attributes=True):
                    found.setdefault(name, []).append((kept, value))
            if isinstance(kept.node, Function):
                for node in self.walk(kept.node):
                    for name, value in assigned(node, names=False, attributes=True):
                        found.setdefault(name, []).append((kept, value))
        return found


@lru_cache(maxsize=8192)
def _nodes(statement: ast.stmt) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(statement))


@lru_cache(maxsize=512)
def _imports(tree: ast.Module) -> dict[str, str]:
    bound: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                bound[name] = alias.name if alias.asname else name
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                bound[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return bound


def assigned(
    node: ast.AST, *, names: bool = True, attributes: bool = False
) -> Iterator[tuple[str, ast.expr]]:
    """Names that a node binds, with the value; with `attributes` also those of objects."""
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
) -> Iterator[Kept]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _kept(path, node.body, node.name, lines)
            continue
        last, is_target = lines.get(node.lineno, (0, False))
        if (node.end_lineno or node.lineno) <= last:
            yield Kept(path, node, owner, is_target)
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            yield from _kept(path, node.body, owner, lines)
