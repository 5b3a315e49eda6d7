"""Texts by which a method looks up another method: `getattr(self, "do_" + name)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice

from ....slicer.emission.manifest.suggestions.target_functions import TargetFunction
from ..argument_builder import ArgumentBuilder

_KEY = "key-1"
_MOST = 6
_STEPS = frozenset("lower upper strip title capitalize".split())
_INSTANCES = ("{own}", "type({own})", "{own}.__class__")


def dispatched_texts(
    builder: ArgumentBuilder, function: TargetFunction, name: str
) -> tuple[str, ...]:
    """Return texts for a parameter, one for each method of the slice that it can look up.

    Args:
        builder: builds the values.
        function: the target.
        name: name of the parameter; values computed from it count as well.
    """
    own = function.positional[0].arg if function.takes_self and function.positional else ""
    if function.owner is None or not own:
        return ()
    members = [
        node.name
        for cls in builder.walk.inference.mro(function.owner)
        for node in cls.functions
        if builder.keeps_function(node, cls.module.path)
    ]
    made = _made_of(function.node, name)
    found: dict[str, None] = {}
    for first, asked, last in _looked_for(function.node, own):
        for member in members if asked in made else ():
            text = member.removeprefix(first).removesuffix(last)
            if first and text and f"{first}{text}{last}" == member:
                found[repr(text if asked == name else f"{text} text-1")] = None
    return tuple(islice(found, _MOST))


def members_by_key(function: TargetFunction) -> tuple[str, ...]:
    """Return names of methods that are looked up by the keys of an attribute.

    The key is the default key of mappings.

    Args:
        function: the target.
    """
    own = function.positional[0].arg if function.takes_self and function.positional else ""
    keys = {name for name, items in _loops(function.node) if own and _is_held(items, own)}
    asked = ((f"{a}{_KEY}{z}", name) for a, name, z in _looked_for(function.node, own))
    return tuple(dict.fromkeys(member for member, name in asked if name in keys))


def _loops(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield the first loop variable of each loop, with what it loops over."""
    for each in ast.walk(node):
        match each:
            case (
                ast.For(target=ast.Name(id=name), iter=items)
                | ast.For(target=ast.Tuple(elts=[ast.Name(id=name), *_]), iter=items)
            ):
                yield name, items
            case _:
                pass


def _is_held(items: ast.expr, own: str) -> bool:
    match items:
        case ast.Call(func=ast.Attribute(value=held, attr="items" | "keys"), args=[]):
            return _is_held(held, own)
        case ast.Attribute(value=ast.Name(id=name)):
            return name == own
        case _:
            return False


def _made_of(node: ast.AST, name: str) -> set[str]:
    """Return the parameter, and the names that are assigned something computed from it."""
    found = {name}
    for each in ast.walk(node):
        if isinstance(each, ast.Assign):
            used = {n.id for n in ast.walk(each.value) if isinstance(n, ast.Name)}
            if used & found:
                stored = (n for target in each.targets for n in ast.walk(target))
                found |= {n.id for n in stored if isinstance(n, ast.Name)}
    return found


def _looked_for(node: ast.AST, own: str) -> Iterator[tuple[str, str, str]]:
    """Yield prefix, deciding name and suffix of each computed attribute name."""
    keys = {
        target.id: each.value
        for each in ast.walk(node)
        if isinstance(each, ast.Assign)
        for target in each.targets
        if isinstance(target, ast.Name)
    }
    holders = {form.format(own=own) for form in _INSTANCES}
    for each in ast.walk(node):
        match each:
            case ast.Call(func=ast.Name("getattr" | "hasattr"), args=[holder, key, *_]):
                if ast.unparse(holder) in holders:
                    key = keys.get(key.id, key) if isinstance(key, ast.Name) else key
                    found = _parts(key)
                    if found is not None:
                        yield found
            case _:
                pass


def _parts(key: ast.expr) -> tuple[str, str, str] | None:
    match key:
        case ast.BinOp(left=ast.Constant(value=str() as first), op=ast.Add(), right=asked):
            last = ""
        case ast.BinOp(left=ast.Constant(value=str() as form), op=ast.Mod(), right=asked):
            first, _, last = form.partition("%s")
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value=str() as form), attr="format"),
            args=[asked],
        ):
            first, _, last = form.partition("{}")
        case ast.JoinedStr(values=[ast.Constant(value=str() as first), ast.FormattedValue() as at]):
            asked, last = at.value, ""
        case ast.JoinedStr(
            values=[
                ast.Constant(value=str() as first),
                ast.FormattedValue() as at,
                ast.Constant(value=str() as last),
            ]
        ):
            asked = at.value
        case _:
            return None
    while isinstance(asked, ast.Call) and isinstance(asked.func, ast.Attribute):
        if asked.func.attr not in _STEPS or asked.args:
            return None
        asked = asked.func.value
    return (first, asked.id, last) if isinstance(asked, ast.Name) else None
