"""Definitions by qualified name in a syntax tree, block by block."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ....slicer.syntax.scopes import imported_as
from ...script.module_statements import DEFINITION, name_of

_Test = Callable[[ast.stmt, str], bool]


@dataclass(frozen=True, slots=True)
class Group:
    """All definitions of one name in one block."""

    tops: tuple[ast.stmt, ...]
    """The module-level statements that contain the definitions."""
    owner: Sequence[ast.stmt]
    """The block."""
    nodes: tuple[ast.stmt, ...]


def split_name(qualname: str) -> tuple[str, ...]:
    """Return the parts of a qualified name, outermost first."""
    return tuple(qualname.replace(".<locals>", "").split("."))


def groups(body: Sequence[ast.stmt], parts: Sequence[str]) -> tuple[Group, ...]:
    """Return where a name is defined; assignments count if nothing else defines it."""
    return (
        tuple(_groups(body, parts, None, _is_definition))
        or tuple(_groups(body, parts, None, binds_by_assignment))
    )  # fmt: skip


def _groups(
    block: Sequence[ast.stmt], parts: Sequence[str], top: ast.stmt | None, is_wanted: _Test
) -> Iterator[Group]:
    head, *rest = parts
    nodes = () if rest else tuple(node for node in block if is_wanted(node, head))
    if nodes:
        yield Group((top,) if top else nodes, block, nodes)
    for node in block:
        if isinstance(node, DEFINITION):
            if rest and node.name == head:
                yield from _groups(node.body, rest, top or node, is_wanted)
        else:
            for inner in inner_blocks(node):
                yield from _groups(inner, parts, top or node, is_wanted)


def inner_blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of a compound statement: `if`, `try`, `with`, `for`, `match`."""
    for field in ("body", "orelse", "finalbody"):
        yield getattr(node, field, [])
    for field in ("handlers", "cases"):
        for part in getattr(node, field, []):
            yield part.body


def binds_by_assignment(node: ast.stmt, name: str) -> bool:
    """Whether a statement assigns to this name alone."""
    match node:
        case ast.Assign(targets=[ast.Name(id=bound)]):
            return bound == name
        case ast.AnnAssign(target=ast.Name(id=bound), value=ast.expr()):
            return bound == name
        case _:
            return False


def bound_names(block: Sequence[ast.stmt]) -> frozenset[str]:
    """Return names that the statements of a block bind, also inside `if` and `try`."""
    found: set[str] = set()
    for node in block:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.add(node.name)
            case ast.Import() | ast.ImportFrom():
                found.update(map(imported_as, node.names))
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    found.update(n.id for n in ast.walk(target) if isinstance(n, ast.Name))
            case _:
                for inner in inner_blocks(node):
                    found |= bound_names(inner)
    return frozenset(found)


def mentioned(node: ast.AST) -> frozenset[str]:
    """Return names and attributes that occur anywhere in a node."""
    found: set[str] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            found.add(inner.id)
        elif isinstance(inner, ast.Attribute):
            found.add(inner.attr)
    return frozenset(found)


def _is_definition(node: ast.stmt, name: str) -> bool:
    return name_of(node) == name
