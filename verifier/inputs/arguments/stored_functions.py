"""Functions that a target defines and stores in an argument or its instance, for later calls."""

from __future__ import annotations

import ast
from dataclasses import replace

from ....slicer.emission.manifest.suggestions.target_functions import TargetFunction
from ..statements import RECEIVER, place_of


def stored_function(function: TargetFunction) -> tuple[str, TargetFunction] | None:
    """Return the first function that a target always stores, with its place; else `None`.

    The place is in the instance or in an argument.
    """
    node = function.node
    if isinstance(node, ast.AsyncFunctionDef):
        return None
    made = {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}
    names = {arg.arg: arg.arg for arg in (*function.positional, *node.args.kwonlyargs)}
    if function.takes_self:
        names |= {arg.arg: RECEIVER for arg in function.positional[:1]}
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[target], value=ast.Name(id=name)) if name in made:
                root = _root(target)
                if root in names:
                    place = place_of(names[root], ast.unparse(target).removeprefix(root))
                    inner = replace(function, node=made[name], owner=None, name=name)
                    return place, inner
            case _:
                continue
    return None


def _root(target: ast.expr) -> str:
    """Return the name at the root of attributes and constant keys; empty for other targets."""
    is_below = False
    while not isinstance(target, ast.Name):
        match target:
            case ast.Attribute(value=value):
                target = value
            case ast.Subscript(value=value, slice=ast.Constant()):
                target = value
            case _:
                return ""
        is_below = True
    return target.id if is_below else ""
