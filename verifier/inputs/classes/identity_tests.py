"""Identity tests in a method: states of its instance in which two places hold one object.

Two values made separately are never the same object, however equal they are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ....slicer.emission.manifest.suggestions.target_functions import FunctionNode
from ....slicer.syntax.scopes import assigned_values
from ..statements import Statement, on_receiver


def shared_places(node: FunctionNode, methods: Iterable[FunctionNode]) -> tuple[Statement, ...]:
    """Return statements that put the object of one place into the other.

    Args:
        node: the method.
        methods: methods of its class; some of them return an attribute.
    """
    if not node.args.args:
        return ()
    own = node.args.args[0].arg
    getters = {each.name: each for each in methods}
    named = _named(node)
    found: dict[Statement, None] = {}
    for each in ast.walk(node):
        match each:
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[right]):
                places = [_place(side, own, named, getters) for side in (left, right)]
            case _:
                continue
        if all(places) and places[0] != places[1]:
            for place, other in (places, reversed(places)):
                if place and other:
                    found[Statement.setting(on_receiver(place), on_receiver(other))] = None
    return tuple(found)


def _named(node: FunctionNode) -> dict[str, ast.expr]:
    """Return the names that the method binds once, with their values."""
    given = assigned_values(ast.walk(node)).items()
    return {name: value for name, (value, *more) in given if value is not None and not more}


def _place(
    node: ast.expr, own: str, named: dict[str, ast.expr], getters: dict[str, FunctionNode]
) -> str | None:
    """Return the attributes that lead from the instance to a value; `None` for other values."""
    match node:
        case ast.Name(id=name) if name == own:
            return ""
        case ast.Name(id=name) if name in named:
            rest = {key: value for key, value in named.items() if key != name}
            return _place(named[name], own, rest, getters)
        case ast.Attribute(value=held, attr=name) if not name.startswith("__"):
            place = _place(held, own, named, getters)
            return None if place is None else f"{place}.{name}"
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=holder), attr=name), args=[], keywords=[]
        ) if holder == own and name in getters:
            return _given(getters[name])
        case _:
            return None


def _given(node: FunctionNode) -> str | None:
    """Return the attribute that every `return` of a method gives, else `None`."""
    own = node.args.args[0].arg if node.args.args else ""
    ends = list(_returned(node))
    names = {ast.unparse(each) for each in ends}
    match ends[:1]:
        case [ast.Attribute(value=ast.Name(id=holder), attr=name)] if holder == own:
            return f".{name}" if len(names) == 1 else None
        case _:
            return None


def _returned(node: FunctionNode) -> Iterator[ast.expr]:
    for each in ast.walk(node):
        if isinstance(each, ast.Return):
            yield each.value or ast.Constant(None)
