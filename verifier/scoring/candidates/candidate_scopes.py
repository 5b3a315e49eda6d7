"""Rename names of a candidate that clash with its new module, by Python's scoping rules.

A candidate replaces its target and nothing else. Its other definitions are for itself: the module's
other code, and the cases, keep what they had under the same name.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterable, Iterator, Sequence

from ....slicer.syntax.scopes import (
    FUNCTIONS,
    bound_in,
    evaluated_outside,
    names_of_module,
)

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
    for node, name in [*names_of_module(body)]:
        if name in mapping:
            _rename(node, mapping[name])
    for node in (inner for each in body for inner in ast.walk(each)):
        if isinstance(node, ast.Global):
            node.names = [mapping.get(name, name) for name in node.names]
    return body


def _rename(node: ast.AST, new: str) -> None:
    """Replace the name that a node has or binds; parts of a package keep theirs."""
    match node:
        case ast.Name():
            node.id = new
        case ast.alias():
            if node.asname or "." not in node.name:
                node.asname = new
        case ast.MatchMapping():
            node.rest = new
        case _:
            setattr(node, "name", new)  # noqa: B010 - a definition, a handler or a pattern


def read_of_module(nodes: Iterable[ast.AST], names: Collection[str]) -> frozenset[str]:
    """Return those of some names that code reads from the module's scope."""
    return frozenset(name for _, name in names_of_module(nodes) if name in names)


def _read_first(statements: Iterable[ast.stmt]) -> set[str]:
    """Return names that a module reads before it binds them, so that they mean earlier values."""
    read: set[str] = set()
    bound: set[str] = set()
    for node in statements:
        read.update(name for name in names_read_immediately(node) if name not in bound)
        bound |= bound_in([node])
    return read


def names_read_immediately(node: ast.stmt) -> Iterator[str]:
    """Yield the module's names that a statement reads when it runs, not those that calls read."""
    of_module = {id(inner) for inner, _ in names_of_module([node])}
    pending: list[ast.AST] = [node]
    while pending:
        inner = pending.pop()
        match inner:
            case ast.Name(id=name, ctx=ast.Load()) if id(inner) in of_module:
                yield name
            case ast.AugAssign(target=ast.Name(id=name) as target) if id(target) in of_module:
                yield name
            case _:
                pass
        if isinstance(inner, FUNCTIONS):
            pending += evaluated_outside(inner)
        else:
            pending += ast.iter_child_nodes(inner)


def _identifiers(body: Iterable[ast.stmt]) -> Iterator[str]:
    for node in body:
        for inner in ast.walk(node):
            for field in ("id", "name", "arg", "attr", "asname"):
                found = getattr(inner, field, None)
                if isinstance(found, str):
                    yield found
