"""Syntactic facts about assignments, loops and displays: which expressions a name stands for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from .definitions import Binder, Scope

_CONTAINERS = frozenset(
    "list dict set deque defaultdict OrderedDict Counter WeakSet WeakValueDictionary "
    "WeakKeyDictionary".split()
)
_COPIES = frozenset({"list", "dict", "set", "tuple", "frozenset", "sorted"})


@dataclass(frozen=True, slots=True)
class AssignedExpression:
    """An expression that a name may stand for."""

    value: ast.expr
    scope: Scope
    """The scope in which the expression is evaluated."""
    is_item: bool = False
    """Whether the name denotes an item of the expression's value."""


def items_of(display: ast.expr) -> Iterator[tuple[ast.expr | None, ast.expr]]:
    """Yield the keys and values of a dictionary display or `dict(...)` call."""
    match display:
        case ast.Dict(keys=keys, values=values):
            yield from zip(keys, values, strict=True)
        case ast.Call(func=ast.Name(id="dict"), keywords=keywords):
            for keyword in keywords:
                yield ast.Constant(keyword.arg) if keyword.arg else None, keyword.value
        case _:
            return


def assigned_by(binder: Binder, place: Scope) -> Iterator[AssignedExpression]:
    """Yield the expressions that one binding gives to its name."""
    match binder.kind, binder.node:
        case "annotated", ast.AnnAssign(value=ast.expr() as value):
            yield AssignedExpression(value, place)
        case "value" | "enter", _ if binder.value is not None:
            for value in _parts(binder.value, binder.path):
                yield AssignedExpression(value, place)
        case "item", _ if binder.value is not None:
            if isinstance(binder.value, (ast.Tuple, ast.List, ast.Set)):
                for element in binder.value.elts:
                    for value in _parts(element, binder.path):
                        yield AssignedExpression(value, place)
            else:
                yield AssignedExpression(binder.value, place, is_item=True)
        case _:
            return


def _parts(value: ast.expr, path: tuple[int, ...]) -> Iterator[ast.expr]:
    """Yield the part of an unpacked display that a name receives, or else the whole."""
    for index in path:
        match value:
            case ast.Tuple(elts=parts) | ast.List(elts=parts) if not any(
                isinstance(part, ast.Starred) for part in parts
            ):
                if index == -1:
                    yield from parts
                if not 0 <= index < len(parts):
                    return
                value = parts[index]
            case _:
                break
    yield value


def binds_container(statement: ast.stmt | None) -> bool:
    """Whether the statement of a class body binds a list, dictionary or set."""
    match statement:
        case ast.Assign(value=value) | ast.AnnAssign(value=value):
            pass
        case _:
            return False
    match value:
        case ast.List() | ast.Dict() | ast.Set():
            return True
        case ast.Call(func=ast.Name(id=made) | ast.Attribute(attr=made)):
            return made in _CONTAINERS
        case _:
            return False


def is_copy(node: ast.expr) -> bool:
    """Whether the expression copies its argument into a new container."""
    match node:
        case ast.Call(func=ast.Name(id=called)):
            return called in _COPIES
        case _:
            return False
