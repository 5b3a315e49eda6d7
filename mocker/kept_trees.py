"""The syntax trees of what a slice keeps, definition by definition."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .model import Border

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """One kept definition with its own statements; a class comes without its methods."""

    path: str
    qualname: str
    nodes: tuple[ast.stmt, ...]

    def walk(self) -> Iterator[ast.AST]:
        """Every node in it."""
        for node in self.nodes:
            yield from ast.walk(node)


def kept_trees(border: Border) -> tuple[Kept, ...]:
    """All kept definitions, in the manifest's order."""
    found: list[Kept] = []
    for definition in border.sliced.manifest.definitions:
        place = (definition.first_line, definition.last_line)
        tree = border.repository.source(definition.path).tree
        node = _by_lines(tree).get(place)
        if isinstance(node, ast.ClassDef):
            nodes = tuple(s for s in node.body if not isinstance(s, (*_FUNCTIONS, ast.ClassDef)))
            found.append(Kept(definition.path, definition.qualname, nodes))
        elif node is not None:
            found.append(Kept(definition.path, definition.qualname, (node,)))
    return tuple(found)


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
