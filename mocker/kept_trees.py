"""The syntax trees of what a slice keeps, definition by definition."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from .model import Border

if TYPE_CHECKING:
    from ..slicer.model import Slice

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """One kept definition with its own statements; a class comes without its methods."""

    path: str
    qualname: str
    nodes: tuple[ast.AST, ...]
    """Every node in it."""


_last: list[tuple[Slice, tuple[Kept, ...]]] = []
"""The slice that is being mocked: several families ask for the same trees."""


def kept_trees(border: Border) -> tuple[Kept, ...]:
    """All kept definitions, in the manifest's order."""
    if not _last or _last[0][0] is not border.sliced:
        _last[:] = [(border.sliced, tuple(_kept(border)))]
    return _last[0][1]


def called_names(border: Border) -> frozenset[str]:
    """Names under which the slice calls something: `json.loads`, `int`."""
    calls = (n for one in kept_trees(border) for n in one.nodes if isinstance(n, ast.Call))
    return frozenset(filter(None, (_dotted(call.func) for call in calls)))


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            return f"{owner}.{name}"
        case ast.Attribute(attr=name):
            return f".{name}"
        case _:
            return ""


def _kept(border: Border) -> Iterator[Kept]:
    for definition in border.sliced.manifest.definitions:
        place = (definition.first_line, definition.last_line)
        tree = border.repository.source(definition.path).tree
        node = _by_lines(tree).get(place)
        if isinstance(node, ast.ClassDef):
            own = [s for s in node.body if not isinstance(s, (*_FUNCTIONS, ast.ClassDef))]
        else:
            own = [] if node is None else [node]
        nodes = tuple(inner for statement in own for inner in ast.walk(statement))
        yield Kept(definition.path, definition.qualname, nodes)


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
